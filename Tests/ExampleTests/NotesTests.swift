import Foundation
import TestSupport
import Testing

@Suite("An app and its widget", .temporaryDirectory) struct NotesTests {
    private let app: ExampleProgram
    private let widget: ExampleProgram

    init() throws {
        app = try .entitled("NotesApp")
        widget = try .entitled("NotesWidget")
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

    @Test func `a class-wide delete in one leaves the other's own items alone`() throws {
        _ = (try app.lines("sign-in"), try widget.lines("show"))
        #expect(try answers(widget, "reset") == ["reset: 0"])
        #expect(
            try answers(app, "show") == ["session: -25300", "draft: Dear diary", "color of the widget: -25300"]
        )
        #expect(try answers(widget, "reset") == ["reset: -25300"])
    }

    @Test func `without entitlements a program may name any group and sees its own by default`() throws {
        _ = try app.lines("sign-in")
        #expect(
            try answers(.bare("NotesApp"), "show") == [
                "session: token-4711", "draft: -25300", "color of the widget: -25300",
            ]
        )
    }

    @Test func `the entitlements may be next to the program`() throws {
        let copy = try ExampleProgram(file: TemporaryDirectory.current.appending(path: "NotesWidget"))
        try FileManager.default.copyItem(at: ExampleProgram.bare("NotesWidget").file, to: copy.file)
        try FileManager.default.copyItem(
            atPath: ExampleProgram.entitlements(of: "NotesWidget").path,
            toPath: copy.file.path + ".entitlements"
        )
        _ = try app.lines("sign-in")
        #expect(try answers(copy, "show") == answers(widget, "show"))
    }
}
