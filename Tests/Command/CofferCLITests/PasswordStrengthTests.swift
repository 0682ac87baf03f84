import CofferCLI
import Testing

@Suite("Strength of passwords") struct PasswordStrengthTests {
    private func bits(_ text: String) -> Double { PasswordStrength(text.utf8Span.span).bits }

    @Test(arguments: [
        "", "a", "password", "Password1", "P@ssw0rd", "123456789", "qwertyuiop", "aaaaaaaaaaaaaaaa", "abcabcabcabcabc",
        "summer2024", "letmein!", "dragon1999", "98765432", "monkeymonkeymonkey",
    ])
    func `words, runs, years and repetitions are weak`(text: String) {
        #expect(bits(text) < PasswordStrength.weakBits, "\(bits(text))")
    }

    @Test(arguments: ["8fk29-DDk2k-ppqmz", "correct-horse-battery-staple-orbit-velvet", "x7#Qm!2vLp9@tR"])
    func `random characters and many words are not`(text: String) {
        #expect(bits(text) > 60, "\(bits(text))")
    }

    @Test func `a longer password is never weaker`() {
        for text in ["password", "x7Qm", "1234", "qwert"] {
            for letter in ["a", "1", "!", "z"] { #expect(bits(text + letter) >= bits(text)) }
        }
    }

    @Test func `a year has decimal digits only`() {
        #expect(bits("19f3") > bits("1993") + 10)
    }

    @Test func `random characters have the bits of their alphabet`() {
        // Ten characters of 26 letters, without a word or a run.
        #expect(abs(bits("gxkqvzjwbm") - 47.0) < 0.1)
    }
}
