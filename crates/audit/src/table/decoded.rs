//! Bytes in some encoding, read as UTF-8. A byte that the encoding does not have is an error, never another character.

use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding};

/// How many bytes are decoded at a time.
const PIECE: usize = 1 << 16;

/// A text in some encoding.
pub(super) struct DecodedText<R> {
    bytes: R,
    decoder: Decoder,
    /// What was decoded and not yet handed on.
    text: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<R: Read> DecodedText<R> {
    pub fn new(bytes: R, encoding: &'static Encoding) -> Self {
        Self { bytes, decoder: encoding.new_decoder_without_bom_handling(), text: Vec::new(), at: 0, ended: false }
    }

    /// Decodes the next piece.
    fn decode(&mut self) -> io::Result<()> {
        let mut piece = Vec::with_capacity(PIECE);
        self.bytes.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
        self.ended = piece.is_empty();
        let room = self.decoder.max_utf8_buffer_length_without_replacement(piece.len());
        self.text = vec![0; room.unwrap_or(4 * PIECE)];
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(&piece, &mut self.text, self.ended);
        self.text.truncate(written);
        self.at = 0;
        match result {
            DecoderResult::InputEmpty if read == piece.len() => Ok(()),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl<R: Read> Read for DecodedText<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.ended {
            self.decode()?;
        }
        let count = self.text.get(self.at..).unwrap_or_default().read(room)?;
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], label: &str) -> io::Result<String> {
        let mut text = String::new();
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        DecodedText::new(bytes, encoding).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn texts_are_decoded_or_refused() {
        assert_eq!(read(b"Zo\xEB;1,5\n", "windows-1252").unwrap(), "Zoë;1,5\n");
        let long = [vec![b'x'; PIECE - 1], b"\x93\xFA".to_vec()].concat();
        assert!(read(&long, "shift_jis").unwrap().ends_with("x日"), "a character that two pieces share");
        assert_eq!(read(b"a\x81 b", "shift_jis").unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(read(b"a\x93", "shift_jis").unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(read(b"", "windows-1252").unwrap(), "");
    }
}
