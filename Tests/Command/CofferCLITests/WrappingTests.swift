import CofferCLI
import Testing

@Suite("Wrapping") struct WrappingTests {
    @Test func `lines break between words`() {
        #expect("set a passphrase now".wrapped(to: 16) == ["set a passphrase", "now"])
        #expect("set a passphrase now".wrapped(to: 15) == ["set a", "passphrase now"])
        #expect("".wrapped(to: 10) == [])
    }

    @Test func `the first line leaves room for the text before it`() {
        #expect("a vault is locked".wrapped(to: 10, after: 7) == ["a", "vault is", "locked"])
    }

    @Test func `a word that is too long gets its own line`() {
        #expect("at /home/kim/login.coffer there".wrapped(to: 8) == ["at", "/home/kim/login.coffer", "there"])
    }

    @Test func `a command between backquotes stays on one line`() {
        #expect("run `coffer key add` now".wrapped(to: 18) == ["run", "`coffer key add`", "now"])
        #expect("a lone ` breaks nothing off".wrapped(to: 40) == ["a lone ` breaks nothing off"])
    }

    @Test func `wide characters take two columns`() {
        #expect("日本 語".wrapped(to: 6) == ["日本", "語"])
        #expect("日本 語".wrapped(to: 7) == ["日本 語"])
    }
}
