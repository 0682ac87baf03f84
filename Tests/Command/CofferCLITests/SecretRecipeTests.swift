import CofferBasics
import CofferCLI
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Generated secrets") struct SecretRecipeTests {
    private func text(_ recipe: SecretRecipe, _ random: some RandomSource) -> String {
        recipe.secret { random.fill(&$0) }.withSpan { bytes in
            String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        }
    }

    /// Returns a random source whose 256 bytes begin with these numbers, followed by zeros.
    private func drawing(_ numbers: UInt32...) -> ScriptedRandom {
        let bytes = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        return ScriptedRandom([bytes + [UInt8](repeating: 0, count: 256 - bytes.count)])
    }

    @Test func `the list has 2,048 words of three to eight lowercase letters`() {
        #expect(WordList.words.count == WordList.count)
        #expect(WordList.count == 2048)
        for word in WordList.words {
            #expect((3...8).contains(word.utf8.count), "\(word)")
            #expect(word.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }, "\(word)")
        }
        #expect(WordList.words.map(String.init) == WordList.words.map(String.init).sorted())
    }

    @Test func `the first four letters identify a word, and no word is a prefix of another`() {
        let words = WordList.words.map(String.init)
        #expect(Set(words.map { $0.prefix(4) }).count == words.count)
        for (one, next) in zip(words, words.dropFirst()) { #expect(!next.hasPrefix(one), "\(one) \(next)") }
    }

    @Test func `numbers that would make some characters more likely are drawn again`() {
        // The greatest multiple of 3 below 2^32 is 4294967295, so only that number is drawn again.
        let recipe = SecretRecipe.characters(count: 4, of: SecretRecipe.alphabet("abc"))
        #expect(text(recipe, drawing(4_294_967_295, 4_294_967_294, 0, 1, 5)) == "cabc")
        // With 2,048 words no number is drawn again.
        let words = SecretRecipe.words(count: 2, separator: Array(" ".utf8))
        #expect(text(words, drawing(4_294_967_295, 2048)) == "\(WordList.words[2047]) \(WordList.words[0])")
    }

    @Test func `all characters occur about equally often`() throws {
        let alphabet = SecretRecipe.letters + SecretRecipe.digits + SecretRecipe.symbols
        let recipe = SecretRecipe.characters(count: 71_000, of: SecretRecipe.alphabet(alphabet))
        let counts = Dictionary(text(recipe, try SystemRandom()).map { ($0, 1) }, uniquingKeysWith: +)
        #expect(counts.count == 71)
        // 1,000 of each are expected, with a standard deviation of 31; ten of those are never exceeded by chance.
        for (character, count) in counts { #expect((690...1310).contains(count), "\(character)") }
    }

    @Test func `characters beyond ASCII are not split`() {
        let recipe = SecretRecipe.characters(count: 3, of: SecretRecipe.alphabet("aé🔑"))
        #expect(text(recipe, drawing(2, 1, 0)) == "🔑éa")
    }

    @Test func `the default characters do not look like one another`() {
        let usual = SecretRecipe.letters + SecretRecipe.digits + SecretRecipe.symbols
        #expect(Set(usual).count == usual.count)
        #expect(Set(usual).isDisjoint(with: "lIoO01|'`\"\\$& "))
    }

    @Test(arguments: [1, 2, 3, 10, 62, 71, 94, 1000, 2048, 1_000_003])
    func `the binary logarithm matches the C library`(number: Int) {
        #expect(abs(SecretRecipe.binaryLogarithm(number) - log2(Double(number))) < 1e-12)
    }

    @Test func `entropy counts the choices`() {
        #expect(SecretRecipe.words(count: 6, separator: []).entropyBits == 66)
        #expect(SecretRecipe.characters(count: 128, of: SecretRecipe.alphabet("01")).entropyBits == 128)
    }
}
