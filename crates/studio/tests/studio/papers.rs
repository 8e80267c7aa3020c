//! New values and the whole of the balance, without a line of TOML.

use super::browser::ServedStudio;

/// The policy as it stands.
fn policy(studio: &ServedStudio) -> String {
    studio.get("/policy.toml").body
}

#[test]
fn a_column_is_marked_looked_at_released_and_taken_back() {
    let studio = ServedStudio::hospital();
    let (stay, before) = (studio.column("length_of_stay"), policy(&studio));
    let path = format!("/columns/{stay}");
    studio.change("/edit", &format!("what=mark&column={stay}&mark=walk&back={path}"));
    let marked = policy(&studio);
    assert!(marked.contains("walk = true") && marked.contains("name = \"random-walk\""), "{marked}");
    let page = studio.until(&path, "What an intruder finds again").body;
    for shown in ["How the records of length_of_stay spread", "linked by rank", "no privacy model", "before, "] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    studio.change("/edit", &format!("what=domain&column={stay}&low=0&high=90&back={path}"));
    assert!(policy(&studio).contains("domain = [0, 90]"));
    studio.change("/edit", &format!("what=method-parameters&column={stay}&theta=0.5&segment=50&back={path}"));
    let set = policy(&studio);
    assert!(set.contains("theta = 0.5") && set.contains("segment = 50") && !set.contains("selection"), "{set}");
    studio.change("/write", "out=walked");
    let page = studio.until("/release", "Released and audited").body;
    assert!(page.contains("class=\"passed\"") && !page.contains("not-passed"), "{page}");
    studio.change("/edit", &format!("what=mark&column={stay}&mark=&back={path}"));
    let after = policy(&studio);
    assert_eq!(after, before);
}

#[test]
fn a_ladder_gives_way_to_new_values_and_comes_back() {
    let studio = ServedStudio::hospital();
    studio.change("/edit", "what=even-points&back=/balance");
    let zip = studio.column("birth_date");
    studio.change("/edit", &format!("what=mark&column={zip}&mark=walk&back=/columns/{zip}"));
    let sum = |text: &str| -> u32 {
        let points = text.split("user = ").skip(1);
        points.map(|rest| rest.split(|it: char| !it.is_ascii_digit()).next().unwrap().parse::<u32>().unwrap()).sum()
    };
    let marked = policy(&studio);
    assert!(marked.contains("walk = true") && sum(&marked) == 100, "{marked}");
    studio.change("/edit", &format!("what=mark&column={zip}&mark=&back=/columns/{zip}"));
    let back = policy(&studio);
    assert!(!back.contains("walk") && back.contains("date = ["), "{back}");
}

#[test]
fn what_must_not_be_traded_is_told_in_forms() {
    let studio = ServedStudio::hospital();
    studio.change("/edit", "what=even-points&back=/balance");
    let zip = studio.column("zip");
    let ration = |bounds: &str| studio.change("/edit", &format!("what=ration&column={zip}&{bounds}&back=/balance"));
    ration("min_protection=level+3&min_utility=");
    let text = policy(&studio);
    assert!(text.contains("[preferences.ration.zip]\nmin_protection = { level = 3 }"), "{text}");
    let page = studio.until("/balance", "Prices and levels").body;
    assert!(page.contains("value=\"level 3\"") && page.contains("rations-row"), "{page}");
    let page = ration("min_protection=much").body;
    assert!(page.contains("This is no bound") && policy(&studio) == text, "{page}");
    studio.change("/edit", "what=ration&min_utility=40.5&back=/balance");
    assert!(policy(&studio).contains("[preferences.total]\nmin_utility = 40.5"), "{}", policy(&studio));
    studio.until("/balance", "all together");
    ration("min_protection=");
    studio.change("/edit", "what=ration&min_utility=&back=/balance");
    let text = policy(&studio);
    assert!(!text.contains("preferences.ration") && !text.contains("preferences.total"), "{text}");

    // A column that is no longer quasi-identifying has nothing to ration.
    ration("min_protection=level+2");
    studio.change("/edit", &format!("what=role&column={zip}&role=identifying&back=/columns"));
    assert!(!policy(&studio).contains("preferences.ration"), "{}", policy(&studio));
}

#[test]
fn distances_are_chosen_and_plots_tell_how_firm_it_is() {
    let studio = ServedStudio::hospital();
    studio.change("/edit", "what=even-points&back=/balance");
    studio.change("/edit", "what=preferences&alpha=0.3&target=coupled&distance=euclidean&back=/balance");
    assert!(policy(&studio).contains("distance = \"euclidean\""), "{}", policy(&studio));
    let page = studio.until("/balance", "id=\"firm\"").body;
    assert!(!page.contains("id=\"plot-heat\""));
    let page = studio.until("/balance?plots=true", "id=\"plot-heat\"").body;
    for plot in ["levels", "preferences", "points", "ratios", "heat"] {
        assert!(page.contains(&format!("id=\"plot-{plot}\"")), "{plot}");
    }
}
