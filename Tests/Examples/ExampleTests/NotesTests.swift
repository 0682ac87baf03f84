import Foundation
import TestSupport
import Testing

@Suite("An app and its widget", .temporaryDirectory) struct NotesTests {
    private let app: ExampleProgram
    private let widget: ExampleProgram

    init() throws {
        app = try .built("NotesApp")
        widget = try .built("NotesWidget")
    }

    /// The lines that a program prints, without the text after a status code.
    private func answers(_ program: ExampleProgram, _ verb: String) throws -> [String] {
        try program.lines(verb).map { $0.components(separatedBy: ", ")[0] }
    }

    @Test func `share the items of their common group only`() throws {
        #expect(try answers(app, "sign-in") == ["session: stored", "draft: stored"])
        #expect(
            try answers(widget, "show") == [
                "color: teal", "session: token-4711", "draft of the app: -25300", "draft by its group: -34018",
            ]
        )
        #expect(
            try answers(app, "show") == [
                "session: token-4711", "draft: Dear diary", "color of the widget: -25300",
            ]
        )
    }

    @Test func `each gets what the other changes in the shared item`() throws {
        #expect(try answers(widget, "renew") == ["renewed: -25300"])
        _ = try app.lines("sign-in")
        #expect(try answers(widget, "renew") == ["renewed: 0"])
        #expect(try answers(app, "show").first == "session: token-4712")
        _ = try app.lines("sign-in")
        #expect(try answers(widget, "show").dropFirst().first == "session: token-4711")
    }

    @Test func `a program that declares another's application identifier reads its private group`() throws {
        _ = try app.lines("sign-in")
        var nosy = widget
        let file = try TemporaryDirectory.current.appending(path: "nosy.entitlements")
        let own = try String(contentsOf: ExampleProgram.entitlements(of: "NotesWidget"), encoding: .utf8)
        let array = "<array>"
        try own.replacing(array, with: array + "<string>ABCDE12345.com.example.notes</string>", maxReplacements: 1)
            .write(to: file, atomically: true, encoding: .utf8)
        nosy.variables["COFFER_ENTITLEMENTS"] = file.path
        #expect(
            try answers(nosy, "show").suffix(2) == ["draft of the app: Dear diary", "draft by its group: Dear diary"]
        )
    }

    @Test func `a class-wide delete in one leaves the other's own items alone`() throws {
        _ = (try app.lines("sign-in"), try widget.lines("show"))
        #expect(try answers(widget, "reset") == ["reset: 0"])
        #expect(
            try answers(app, "show") == ["session: -25300", "draft: Dear diary", "color of the widget: -25300"]
        )
        #expect(try answers(widget, "reset") == ["reset: -25300"])
    }

    @Test func `other entitlements may be next to the program, or be named by a variable`() throws {
        _ = try app.lines("sign-in")
        let draft = [
            "color: teal", "session: token-4711", "draft of the app: Dear diary", "draft by its group: Dear diary",
        ]
        var named = widget
        named.variables["COFFER_ENTITLEMENTS"] = ExampleProgram.entitlements(of: "NotesApp").path
        #expect(try answers(named, "show") == draft)
        let copy = try ExampleProgram(file: TemporaryDirectory.current.appending(path: "NotesWidget"))
        try FileManager.default.copyItem(at: widget.file, to: copy.file)
        try FileManager.default.copyItem(
            atPath: ExampleProgram.entitlements(of: "NotesApp").path,
            toPath: copy.file.path + ".entitlements"
        )
        #expect(try answers(copy, "show") == draft)
    }
}
