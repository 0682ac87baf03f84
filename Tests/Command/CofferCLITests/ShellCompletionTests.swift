import Foundation
import TestSupport
import Testing

/// Completion in real shells at a terminal.
///
/// The bash completion used to pass names to `compgen -W`, which expands them: an item named `$(touch x)` ran that
/// command when a user pressed TAB. These tests press TAB for names with special characters of shells, and run the
/// line: it must name the right item. With `--no-prompt` only the whole name does.
@Suite("Completion in shells", .temporaryDirectory) struct ShellCompletionTests {
    /// Names that each begin with a different letter, and the part that is typed.
    private static func names(marker: String) -> [(typed: String, name: String)] {
        [
            ("a", "a$(touch \(marker))"), ("b", "b`touch \(marker)`"), ("c", "c;touch \(marker);#"),
            ("d", "d two  blanks "), ("e", "e'single\"double"), ("f", "f\\back\\\\slash"), ("g", "g*?[x]{1,2}~"),
            ("w", "w|&<>()!!"), ("i", "i\u{F6}\u{DF}\u{1F511}"), ("https", "https://kim@example.com:8443/x?a=b&c=d"),
            ("j", "j:k:l"), ("m", "m=n"), ("n", "n$HOME${HOME}%s%n"), ("o", "o'"), ("p", "p\""), ("q", "q!"),
        ]
    }

    /// Names that completion never offers.
    private static let hidden = ["r\u{1B}[31mEVIL", "s\nEVIL", "t\tEVIL", "u\u{202E}EVIL", "v\u{200B}EVIL", "-EVIL"]

    /// A shell at a terminal, with the completion of the command.
    private final class Shell {
        private let terminal: PseudoTerminal
        private var lineCount = 0

        init(_ name: String, _ command: BuiltCommand) throws {
            let script = command.home.appending(path: "completions.\(name)").path
            try Data(command.run(["completions", name]).output.utf8).write(to: URL(filePath: script))
            var variables = command.variables
            variables["PATH"] = "\(URL(filePath: command.path).deletingLastPathComponent().path):/usr/bin:/bin"
            variables["TERM"] = "xterm"
            variables["LC_ALL"] = "C.UTF-8"
            variables["PS1"] = "$ "
            let words: [String]
            var start = "source \(script)"
            switch name {
            case "bash":
                words = ["--norc", "--noprofile", "-i"]
                start = "bind 'set completion-query-items 0' 'set page-completions off'; set +o history; " + start
            case "zsh":
                words = ["-f", "-i"]
                start = "autoload -Uz compinit; compinit -u -d \(command.home.path)/.zcompdump; " + start
            default: words = ["--no-config", "-i"]
            }
            let path = ["/bin/\(name)", "/usr/bin/\(name)"].first(where: FileManager.default.isExecutableFile)
            terminal = try PseudoTerminal(try #require(path), words, variables: variables)
            _ = try shown(behind: start)
        }

        /// Returns the output of the shell until it has run the line that begins with these keys.
        func shown(behind keys: String) throws -> String {
            lineCount += 1
            let former = terminal.shown.utf8.count
            // In two parts, so that the echoed line does not look like its output.
            terminal.send("\(keys); echo do\"\"ne\(lineCount)\n")
            try terminal.wait(for: "done\(lineCount)")
            return String(decoding: terminal.shown.utf8.dropFirst(former), as: UTF8.self)
        }

        /// Returns what the shell shows when keys are typed and the line is canceled once `text` appears.
        func shown(givingUp keys: String, after text: String) throws -> String {
            let former = terminal.shown.utf8.count
            terminal.send(keys)
            try terminal.wait(for: text)
            terminal.send("\u{3}")
            _ = try shown(behind: "true")
            return String(decoding: terminal.shown.utf8.dropFirst(former), as: UTF8.self)
        }
    }

    private let command: BuiltCommand
    private let marker: URL

    init() throws {
        command = try BuiltCommand()
        marker = command.home.appending(path: "marker")
        let sample = try CommandSample()
        for (index, name) in (Self.names(marker: marker.path).map(\.name) + Self.hidden).enumerated() {
            // An address would be a web password.
            let words = ["security", "add-generic-password", "-q", "-a", "kim", "-w", "secret\(index).", "-s", name]
            #expect(sample.run(.init(words: words)).status == 0)
        }
    }

    /// Not every machine has every shell; ./dev check installs them all.
    private static let shells = ["bash", "zsh", "fish"].filter { name in
        ["/bin/\(name)", "/usr/bin/\(name)"].contains(where: FileManager.default.isExecutableFile)
    }

    @Test(arguments: shells)
    func `TAB completes a name, quoted for the shell, and runs nothing`(shell: String) async throws {
        let terminal = try Shell(shell, command)
        for (index, (typed, name)) in Self.names(marker: marker.path).enumerated() {
            let shown = try terminal.shown(behind: "coffer get --no-prompt \(typed)\t")
            #expect(shown.contains("secret\(index)."), "\(name): \(shown)")
            await Task.yield()
        }
        #expect(!FileManager.default.fileExists(atPath: marker.path))
    }

    @Test(arguments: shells.flatMap { [($0, "'"), ($0, "\"")] })
    func `TAB completes a name within quotes`(shell: String, quote: String) async throws {
        let terminal = try Shell(shell, command)
        for (index, (typed, name)) in Self.names(marker: marker.path).enumerated() {
            let shown = try terminal.shown(behind: "coffer get --no-prompt \(quote)\(typed)\t")
            #expect(shown.contains("secret\(index)."), "\(name): \(shown)")
            await Task.yield()
        }
        #expect(!FileManager.default.fileExists(atPath: marker.path))
    }

    @Test(arguments: shells)
    func `TAB completes a name that the shell splits into several words`(shell: String) async throws {
        let terminal = try Shell(shell, command)
        let names = Self.names(marker: marker.path).map(\.name)
        for (typed, name) in [
            ("https:", "https://kim@example.com:8443/x?a=b&c=d"),
            ("https://kim@example.com:84", "https://kim@example.com:8443/x?a=b&c=d"), ("j:k", "j:k:l"), ("m=", "m=n"),
            ("d\\ tw", "d two  blanks "), ("'d 'tw", "d two  blanks "),
        ] {
            let index = try #require(names.firstIndex(of: name))
            let shown = try terminal.shown(behind: "true; coffer get --no-prompt \(typed)\t")
            #expect(shown.contains("secret\(index)."), "\(typed): \(shown)")
            await Task.yield()
        }
    }

    @Test(arguments: shells)
    func `TAB completes verbs, options, their values, files and commands`(shell: String) async throws {
        let terminal = try Shell(shell, command)
        #expect(try command.run(["set", "-q", "plain", "kim"], input: "exported").status == 0)
        let declared = ["keychain-access-groups": ["$(AppIdentifierPrefix)g.one"]]
        let bytes = try PropertyListSerialization.data(fromPropertyList: declared, format: .xml, options: 0)
        try bytes.write(to: command.home.appending(path: "declared groups"))
        for (keys, output) in [
            ("compl\tzs\t--js\t", "{\"shell\": \"zsh\""), ("security err\t-25300", "-25300 The specified item"),
            ("list --names --col\talw\t", "j:k:l"), ("list --names --color=alw\t", "j:k:l"),
            ("entitlements \(command.home.path)/decl\t", "g.one"),
            ("list --vault=\(command.home.path)/decl\t", "is not a vault"),
            ("exec --env P=plain -- printen\tP", "exported"),
        ] {
            let shown = try terminal.shown(behind: "coffer \(keys)")
            #expect(shown.contains(output), "\(keys): \(shown)")
            await Task.yield()
        }
    }

    @Test(arguments: shells)
    func `TAB completes an account of the service before it`(shell: String) async throws {
        let terminal = try Shell(shell, command)
        for (account, secret) in [("lee", "first"), ("m$(touch \(marker.path))", "second")] {
            #expect(try command.run(["set", "-q", "accounts", account], input: secret).status == 0)
        }
        for (typed, secret) in [("l", "first"), ("m", "second")] {
            let shown = try terminal.shown(behind: "coffer get --no-prompt accounts \(typed)\t")
            #expect(shown.contains(secret), "\(typed): \(shown)")
            await Task.yield()
        }
        #expect(!FileManager.default.fileExists(atPath: marker.path))
    }

    @Test(arguments: shells)
    func `a list of all names runs nothing and omits names with invisible characters`(shell: String) throws {
        let terminal = try Shell(shell, command)
        let shown = try terminal.shown(givingUp: "coffer get \t\t", after: "https")
        #expect(!shown.contains("EVIL"), "\(shown)")
        #expect(!FileManager.default.fileExists(atPath: marker.path))
    }

    @Test func `list --names prints each name that can be typed once and unescaped`() throws {
        #expect(try command.run(["set", "-q", "j:k:l", "lee"], input: "x").status == 0)
        let names = Self.names(marker: marker.path).map(\.name) + ["-EVIL"]
        let listed = try command.run(["list", "--names"])
        #expect(listed.output.split(separator: "\n").map(String.init) == names)
        let json = try command.run(["list", "--names", "--json"]).output
        #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == names)
    }
}
