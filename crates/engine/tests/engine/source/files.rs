//! Files and folders, names and compression.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use equanym_engine::read::{Reading, open};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{CANARY, Folder, plain, read_columns, refusal, refused};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn tables_of_statistics_programs_are_refused_by_name_and_by_bytes() {
    let folder = Folder::new();
    let sas = [&[0; 12][..], b"\xc2\xea\x81\x60", CANARY.as_bytes()].concat();
    let spss = [b"$FL2@(#) SPSS DATA FILE ", CANARY.as_bytes()].concat();
    let stata = [b"<stata_dta><header>", CANARY.as_bytes()].concat();
    for (name, bytes) in [("a.sav", &spss), ("a.DTA", &stata), ("a.sas7bdat", &sas)] {
        refused(&folder.file(name, bytes));
        let renamed = folder.file("renamed.csv", bytes);
        refused(&renamed);
    }
}

#[test]
fn gzip_and_zstd_are_read_to_their_last_member() {
    let folder = Folder::new();
    let (one, two) = (b"a,b\n1,2\n3,".as_slice(), b"4\n5,6\n".as_slice());
    let joined = [gzip(one), gzip(two)].concat();
    assert_eq!(plain(&folder.file("a.csv.gz", joined)), ["1|2", "3|4", "5|6"]);
    let joined = [zstd::encode_all(one, 3).unwrap(), zstd::encode_all(two, 3).unwrap()].concat();
    assert_eq!(plain(&folder.file("a.CSV.ZST", joined)), ["1|2", "3|4", "5|6"]);
    assert_eq!(plain(&folder.file("a.ndjson.gz", gzip(b"{\"a\":1}\n"))), ["1"]);
}

#[test]
fn cut_or_damaged_archives_are_input_errors() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..20_000).map(|n| format!("{n},{CANARY}{}", n * 7919 % 10_007)).collect();
    let text = format!("a,b\n{}\n", rows.join("\n"));
    let (gz, zst) = (gzip(text.as_bytes()), zstd::encode_all(text.as_bytes(), 3).unwrap());
    refused(&folder.file("a.csv.gz", &gz[..gz.len() / 2]));
    refused(&folder.file("a.csv.gz", &gz[..gz.len() - 3]));
    refused(&folder.file("a.csv.zst", &zst[..zst.len() / 2]));
    let mut damaged = gz.clone();
    damaged[gz.len() / 2..gz.len() / 2 + 64].fill(0x55);
    refused(&folder.file("a.csv.gz", damaged));
    refused(&folder.file("b.csv.gz", "a,b\n1,2\n"));
    refused(&folder.file("b.csv.zst", "a,b\n1,2\n"));
    refused(&folder.file("b.csv.zst", &gz));
    for nothing in [gzip(b""), Vec::new()] {
        refused(&folder.file("c.csv.gz", nothing));
    }
}

/// A hundred members that unpack to a mebibyte each.
fn bomb(head: &[u8], block: &[u8], pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    [pack(head), pack(&block.repeat((1 << 20) / block.len())).repeat(100)].concat()
}

#[test]
fn bombs_reach_the_cap() {
    let folder = Folder::new();
    let row = [vec![b'x'; 60_000], b",2\n".to_vec()].concat();
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    refusal(&folder.file("rows.csv.gz", bomb(b"a,b\n", &row, gzip)), &Reading::default(), 3);
    refusal(&folder.file("rows.csv.zst", bomb(b"a,b\n", &row, zstd)), &Reading::default(), 3);
    refusal(&folder.file("line.csv.gz", bomb(b"", b"x", gzip)), &Reading::default(), 3);
    refusal(&folder.file("line.ndjson.zst", bomb(b"", b"x", zstd)), &Reading::default(), 3);
}

#[test]
fn names_must_tell_the_format_and_bytes_may_object() {
    let folder = Folder::new();
    for name in ["table", "table.json", "table.xls", "table.gz", "table.parquet.gz", ".csv.bak"] {
        refused(&folder.file(name, "a,b\n1,2\n"));
    }
    refused(&folder.file("a.csv", gzip(b"a,b\n")));
    refused(&folder.file("a.csv", b"PAR1\x15\x04\x15"));
    refused(&folder.file("a.ndjson", b"ARROW1\0\0"));
    refused(&folder.file("a.parquet", "a,b\n1,2\n3,4\n5,6\n"));
    refused(&folder.file("a.arrow", "a,b\n1,2\n3,4\n5,6\n"));
}

#[test]
fn pipes_and_devices_are_refused() {
    let folder = Folder::new();
    let pipe = folder.path().join("pipe.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(&pipe);
    refused(Path::new("/dev/zero"));
    let socket = folder.path().join("socket.csv");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    refused(&socket);
}

#[test]
fn absent_files_are_the_users_turn() {
    let folder = Folder::new();
    folder.file("a.csv", "a\n");
    for path in ["none.csv", "none/a.csv", "a.csv/b.csv", "a\0b.csv"] {
        refused(&folder.path().join(path));
    }
    refused(&folder.path().join("x".repeat(300)));
    std::os::unix::fs::symlink("nowhere", folder.path().join("link.csv")).unwrap();
    refused(&folder.path().join("link.csv"));
}

#[test]
fn odd_paths_work_and_are_shown_escaped() {
    let folder = Folder::new();
    let names: [&[u8]; 4] = [b"with blank.csv", b"new\nline.csv", b"\xFF\xFE.csv", b"\x1b[31m.csv"];
    for name in names {
        let path = folder.file(std::ffi::OsStr::from_bytes(name), "a,b\n1,2\n");
        assert_eq!(plain(&path), ["1|2"]);
        fs::write(&path, "a,b\n1\n").unwrap();
        let error = refused(&path);
        assert!(!error.message.contains('\n'));
    }
    let long = format!("{}.csv", "x".repeat(251));
    assert_eq!(plain(&folder.file(long, "a,b\n1,2\n")), ["1|2"]);
}

#[test]
fn links_to_files_are_followed() {
    let folder = Folder::new();
    folder.file("a.csv", "a\n1\n");
    std::os::unix::fs::symlink("a.csv", folder.path().join("b.csv")).unwrap();
    assert_eq!(plain(&folder.path().join("b.csv")), ["1"]);
}

#[test]
fn a_folder_is_read_in_the_order_of_names() {
    let folder = Folder::new();
    folder.file("b.csv", "a,b\n3,4\n");
    folder.file("c.csv.gz", gzip(b"a;b\n5;6\n"));
    folder.file("a.tsv", "a\tb\n1\t2\n");
    folder.file("_SUCCESS", "");
    folder.file(".hidden.json", "");
    assert!(open(folder.path(), &Reading::default()).unwrap().parts() <= 3);
    assert_eq!(plain(folder.path()), ["1|2", "3|4", "5|6"]);
}

#[test]
fn files_of_a_folder_agree_on_columns() {
    let folder = Folder::new();
    folder.file("a.csv", format!("id,name\n1,{CANARY}\n"));
    let other = folder.file("b.csv", format!("id,nome\n1,{CANARY}\n"));
    refused(folder.path());
    fs::write(&other, "name,id\n").unwrap();
    refused(folder.path());
    fs::write(&other, "id,name,age\n").unwrap();
    refused(folder.path());
    fs::write(&other, "id\n").unwrap();
    refused(folder.path());
}

#[test]
fn a_folder_holds_files_of_one_format_and_nothing_else() {
    let folder = Folder::new();
    refused(folder.path());
    folder.file("a.csv", "a\n1\n");
    let other = folder.file("b.ndjson", "{\"a\":1}\n");
    refused(folder.path());
    fs::remove_file(other).unwrap();
    let extra = folder.file("readme.md", CANARY);
    refused(folder.path());
    fs::remove_file(extra).unwrap();
    fs::create_dir(folder.path().join("more")).unwrap();
    refused(folder.path());
}

type Change = fn(&Path);

/// What may happen to a file between two readings.
const CHANGES: [Change; 5] = [
    |path| fs::write(path, "b,a\n1,2\n3,4\n").unwrap(),
    // A cell, with the old time.
    |path| {
        let time = fs::metadata(path).unwrap().modified().unwrap();
        fs::write(path, "a,b\n1,2\n3,5\n").unwrap();
        File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    },
    // Its length.
    |path| {
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(b"5,6\n").unwrap();
    },
    // Another file of the same content.
    |path| {
        fs::copy(path, path.with_extension("new")).unwrap();
        fs::rename(path.with_extension("new"), path).unwrap();
    },
    |path| fs::remove_file(path).unwrap(),
];

#[test]
fn a_file_that_changes_meanwhile_is_noticed() {
    for change in CHANGES {
        let folder = Folder::new();
        let path = folder.file("a.csv", "a,b\n1,2\n3,4\n");
        let source = open(&path, &Reading::default()).unwrap();
        assert_eq!(read_columns(&source, &[0]).unwrap().len(), 2);
        change(&path);
        crate::stage::refused(read_columns(&source, &[0, 1]), folder.path());
    }
}
