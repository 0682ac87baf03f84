import CofferBasics
import CofferCLI
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Secrets by chance") struct SecretRecipeTests {
    private func text(_ recipe: SecretRecipe, _ random: some RandomSource) -> String {
        recipe.secret { random.fill(&$0) }.bytes.withSpan { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    /// Draws of 256 bytes that begin with these numbers, and are zero behind.
    private func drawing(_ numbers: UInt32...) -> ScriptedRandom {
        let bytes = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        return ScriptedRandom([bytes + [UInt8](repeating: 0, count: 256 - bytes.count)])
    }

    @Test func `there are 2,048 words of three to eight small letters`() {
        #expect(WordList.words.count == WordList.count)
        #expect(WordList.count == 2048)
        for word in WordList.words {
            #expect((3...8).contains(word.utf8.count), "\(word)")
            #expect(word.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }, "\(word)")
        }
        #expect(WordList.words.map(String.init) == WordList.words.map(String.init).sorted())
    }

    @Test func `four letters tell a word, and none is the beginning of another`() {
        let words = WordList.words.map(String.init)
        #expect(Set(words.map { $0.prefix(4) }).count == words.count)
        for (one, next) in zip(words, words.dropFirst()) { #expect(!next.hasPrefix(one), "\(one) \(next)") }
    }

    @Test func `what would make some characters more likely is drawn again`() {
        // The greatest multiple of 3 below 2^32 is 4294967295: that is the only number to be drawn again.
        let recipe = SecretRecipe.characters(count: 4, of: SecretRecipe.alphabet("abc"))
        #expect(text(recipe, drawing(4_294_967_295, 4_294_967_294, 0, 1, 5)) == "cabc")
        // Of 2048 words none is drawn again.
        let words = SecretRecipe.words(count: 2, separator: Array(" ".utf8))
        #expect(text(words, drawing(4_294_967_295, 2048)) == "\(WordList.words[2047]) \(WordList.words[0])")
    }

    @Test func `all characters come, and about equally often`() throws {
        let alphabet = SecretRecipe.letters + SecretRecipe.digits + SecretRecipe.symbols
        let recipe = SecretRecipe.characters(count: 71_000, of: SecretRecipe.alphabet(alphabet))
        let counts = Dictionary(text(recipe, try SystemRandom()).map { ($0, 1) }, uniquingKeysWith: +)
        #expect(counts.count == 71)
        // 1,000 of each, with a standard deviation of 31; beyond ten of them nothing comes by chance.
        for (character, count) in counts { #expect((690...1310).contains(count), "\(character)") }
    }

    @Test func `characters beyond ASCII are whole`() {
        let recipe = SecretRecipe.characters(count: 3, of: SecretRecipe.alphabet("aé🔑"))
        #expect(text(recipe, drawing(2, 1, 0)) == "🔑éa")
    }

    @Test func `nothing that looks like something else is in the usual characters`() {
        let usual = SecretRecipe.letters + SecretRecipe.digits + SecretRecipe.symbols
        #expect(Set(usual).count == usual.count)
        #expect(Set(usual).isDisjoint(with: "lIoO01|'`\"\\$& "))
    }

    @Test(arguments: [1, 2, 3, 10, 62, 71, 94, 1000, 2048, 1_000_003])
    func `the logarithm is that of the library`(number: Int) {
        #expect(abs(SecretRecipe.binaryLogarithm(number) - log2(Double(number))) < 1e-12)
    }

    @Test func `entropy counts the choices`() {
        #expect(SecretRecipe.words(count: 6, separator: []).entropyBits == 66)
        #expect(SecretRecipe.characters(count: 128, of: SecretRecipe.alphabet("01")).entropyBits == 128)
    }
}
