/// How many more rounds of key derivation are done for a file.
///
/// All parts of a file share them: a part takes a hundred bytes, and may ask for millions of rounds.
struct DerivationRounds {
    private var left = 10_000_000

    /// Takes the rounds of a derivation that is about to be made.
    mutating func spend(_ count: Int) throws(CertificateFileError) {
        guard count <= left else { throw .tooManyRounds }
        left -= count
    }
}
