// The studio's one script: sends changes, takes the parts of the new page, hears of progress. Pages work without it.
(() => {
  "use strict";

  const parts = (root, full) => full ? ["page", "bar", "steps"] : [...root.querySelectorAll("[data-live]")].map((part) => part.id);
  let newest = 0;

  // Takes a page that was asked for. While a control moves, only what it does not stand in is replaced.
  const take = (text, full) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const active = document.activeElement;
    const id = active && active.id;
    const open = new Set([...document.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
    const scrolled = [...document.querySelectorAll(".scroll, .group-box ul")].map((one) => [one.scrollLeft, one.scrollTop]);
    for (const part of parts(page, full)) {
      const [old, fresh] = [document.getElementById(part), page.getElementById(part)];
      if (old && fresh && !(old.contains(active) && !full)) old.replaceWith(fresh);
    }
    if (!full) outputs(page);
    const answer = page.getElementById("answer");
    if (answer && answer.dataset.said) document.getElementById("said").textContent = answer.dataset.said;
    document.title = page.title;
    document.body.toggleAttribute("data-waiting", page.body.hasAttribute("data-waiting"));
    document.querySelectorAll("details > summary").forEach((one) => { if (open.has(one.textContent)) one.parentElement.open = true; });
    document.querySelectorAll(".scroll, .group-box ul").forEach((one, place) => { if (scrolled[place]) [one.scrollLeft, one.scrollTop] = scrolled[place]; });
    const again = id && document.getElementById(id);
    if (again && again !== document.activeElement) again.focus({ preventScroll: true });
  };

  // Numbers beside sliders that did not move themselves, such as those that keep their sum.
  const outputs = (page) => {
    page.querySelectorAll(".slider input").forEach((fresh) => {
      const old = document.getElementById(fresh.id);
      if (!old) return;
      if (old !== document.activeElement || !(busy || dragged)) old.value = fresh.getAttribute("value");
      old.nextElementSibling.textContent = fresh.nextElementSibling.textContent;
    });
  };

  const ask = async (url, options, full) => {
    const mine = ++newest;
    const answer = await fetch(url, { credentials: "same-origin", ...options });
    const text = await answer.text();
    const led = new URL(answer.url).pathname;
    if (answer.ok && full && options.method && led !== location.pathname) return void location.assign(answer.url);
    if (answer.ok && mine === newest) take(text, full);
    else if (!answer.ok) tell(text);
  };

  const tell = (words) => {
    const note = document.getElementById("note");
    if (note) { const p = document.createElement("p"); p.className = "failed"; p.setAttribute("role", "alert"); p.textContent = words; note.replaceChildren(p); }
  };

  const gone = () => tell("The studio does not answer. Was it ended? Start it again with: equanym studio");

  const send = (form, submitter, moving) => {
    const data = new URLSearchParams(new FormData(form, submitter || undefined));
    if (moving) data.set("moving", moving);
    return ask(form.action, { method: "POST", body: data }, !moving).catch(gone);
  };

  // One change at a time; of those that come meanwhile the last is sent.
  let busy = false;
  let waiting = null;
  let missed = false;
  let dragged = false;
  addEventListener("pointerdown", (event) => { dragged = event.target.matches("input[type=range]"); });
  ["pointerup", "pointercancel"].forEach((name) => addEventListener(name, () => { dragged = false; }));
  const queue = async (work) => {
    if (busy) { waiting = work; return; }
    busy = true;
    await work();
    busy = false;
    // What was told meanwhile was not heard.
    if (!waiting && (missed || document.body.hasAttribute("data-waiting"))) { missed = false; reload(); }
    if (waiting) { const next = waiting; waiting = null; queue(next); }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-live-form]");
    if (!form) return;
    event.preventDefault();
    const submitter = event.submitter;
    // It stays where it is, so that whoever pressed it by the keyboard does, too.
    if (submitter && submitter.ariaDisabled === "true") return;
    queue(() => send(form, submitter));
  });

  document.addEventListener("input", (event) => {
    const input = event.target;
    if (input.type !== "range" || !input.matches("[data-live-input]")) return;
    const output = input.nextElementSibling;
    if (output && !input.closest("form").querySelector("[name=what][value=limit], [name=what][value=preferences]")) output.textContent = input.value;
    queue(() => send(input.form, null, input.id));
  });

  document.addEventListener("change", (event) => {
    const input = event.target;
    if (input.matches("[data-live-input]")) queue(() => send(input.form, null));
    if (input.matches("[data-upload]") && input.files.length) upload(input.dataset.upload, input.files[0], input.closest("[data-drop]"));
  });

  const upload = async (url, file, box) => {
    const words = box && box.querySelector("[data-uploading]");
    if (words) { words.hidden = false; words.textContent = `Taking ${file.name}`; }
    const full = `${url}${url.includes("?") ? "&" : "?"}name=${encodeURIComponent(file.name)}`;
    try { await ask(full, { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } }, true); } catch { gone(); }
  };

  // Dropping files, and dragging values into groups.
  const over = (event) => event.target.closest && event.target.closest("[data-drop], [data-group]");
  document.addEventListener("dragstart", (event) => { const value = event.target.closest("[data-value]"); if (value) event.dataTransfer.setData("text/plain", value.dataset.value); });
  document.addEventListener("dragover", (event) => { event.preventDefault(); const box = over(event); if (box) box.classList.add("is-over"); });
  document.addEventListener("dragleave", (event) => { const box = over(event); if (box) box.classList.remove("is-over"); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const box = over(event);
    if (!box) return;
    box.classList.remove("is-over");
    if (box.dataset.drop && event.dataTransfer.files.length) return void upload(box.dataset.drop, event.dataTransfer.files[0], box);
    const select = document.getElementById(`group-${event.dataTransfer.getData("text/plain")}`);
    if (box.dataset.group !== undefined && select) { select.value = box.dataset.group; queue(() => send(select.form, null)); }
  });

  document.addEventListener("click", async (event) => {
    const point = event.target.closest("[data-map] g");
    const number = point && /^Point (\d+)/.exec(point.querySelector("title")?.textContent || "");
    if (number) return void document.getElementById(`point-${number[1]}`)?.click();
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy).textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { getSelection().selectAllChildren(document.getElementById(button.dataset.copy)); }
  });

  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input[type=text], textarea")) return;
    const button = document.getElementById(event.shiftKey ? "redo" : "undo");
    if (button && button.ariaDisabled !== "true") { event.preventDefault(); button.click(); }
  });

  // Progress, and changes that were made elsewhere. A page that nobody sees hears nothing.
  let events = null;
  let refresh = null;
  const reload = () => {
    clearTimeout(refresh);
    refresh = setTimeout(() => {
      if (busy) return void reload();
      // Whoever holds a control keeps it.
      const held = document.activeElement && document.activeElement.matches("input, select, textarea");
      ask(location.href, {}, !held).catch(gone);
    }, 40);
  };
  const listen = () => {
    if (events || document.hidden) return;
    events = new EventSource("/events");
    let first = null;
    events.addEventListener("change", (event) => { if (busy) missed = true; else if (first !== event.data) reload(); first = event.data; });
    events.addEventListener("progress", (event) => document.querySelectorAll("[data-progress]").forEach((one) => { if (event.data) one.textContent = event.data; }));
    events.addEventListener("open", () => { if (document.body.hasAttribute("data-waiting")) reload(); });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && events) { events.close(); events = null; } else if (!document.hidden) { listen(); if (document.body.hasAttribute("data-waiting")) reload(); }
  });
  addEventListener("pagehide", () => { if (events) { events.close(); events = null; } });
  addEventListener("pageshow", (event) => { if (event.persisted) { listen(); reload(); } });
  // In a narrow window the way to this page may be out of sight.
  const inSight = () => {
    const [way, here] = [document.querySelector("nav"), document.querySelector("nav [aria-current]")];
    if (way && here) way.scrollLeft += here.getBoundingClientRect().left - (way.clientWidth - here.clientWidth) / 2;
  };
  addEventListener("resize", inSight);
  inSight();
  listen();
})();
