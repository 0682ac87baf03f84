import Glibc
import TestSupport
import Testing
import VaultFiles

@Suite("Change marks", .temporaryDirectory) struct ChangeMarkTests {
    private let files = LinuxFileSystem()

    private static let minute = 60

    // MARK: - The clock

    @Test(arguments: [
        // A fine clock: nanoseconds since the stamp, which may or may not be enough.
        (1, 0, false), (1, 49_999_999, false), (1, 50_000_001, true), (123_456_789, 50_000_001, true),
        // Whole milliseconds may come from a clock that knows only milliseconds, or only seconds.
        (0, 50_000_001, false), (5_000_000, 1_900_000_000, false), (0, 2_999_999_999, false), (0, 3_000_000_000, true),
    ])
    func `a stamp is over when the clock has moved`(nanoseconds: Int, age: Int, isOver: Bool) {
        let stamp = ChangeMark.Stamp(seconds: Self.minute, nanoseconds: nanoseconds)
        let later = nanoseconds + age
        let now = ChangeMark.Stamp(seconds: Self.minute + later / 1_000_000_000, nanoseconds: later % 1_000_000_000)
        #expect(stamp.isOver(at: now) == isOver)
    }

    @Test func `a stamp in the future is not over`() {
        let stamp = ChangeMark.Stamp(seconds: Self.minute, nanoseconds: 1)
        #expect(!stamp.isOver(at: ChangeMark.Stamp(seconds: Self.minute - 10, nanoseconds: 2)))
        #expect(!stamp.isOver(at: ChangeMark.Stamp(seconds: .min, nanoseconds: 0)))
        #expect(!stamp.isOver(at: ChangeMark.Stamp(seconds: Self.minute, nanoseconds: 0)))
    }

    // MARK: - Files

    @Test(.enabled(if: FileMarks.arePossible)) func `an unchanged file keeps its mark`() throws {
        let place = try Place()
        try place.make("file", "text")
        let file = try files.open(place.path("file"))
        let mark = try FileMarks.mark(of: file)
        #expect(try file.text == "text")
        #expect(try file.changeMark() == mark)
        #expect(try files.open(place.path("file")).changeMark() == mark)
    }

    @Test(.enabled(if: FileMarks.arePossible), arguments: FileChange.allCases)
    func `every change to a file changes its mark`(change: FileChange) throws {
        let place = try Place()
        try place.make("file", "text")
        try place.make("other", "text")
        let file = try files.open(place.path("file"))
        let mark = try FileMarks.mark(of: file)
        try change.make(in: place)
        #expect(try file.changeMark() != mark)
        #expect(try FileMarks.mark(of: file) != mark)
    }

    @Test func `there are no marks where the kernel does not see all changes`() throws {
        #expect(try files.open("/proc/self/maps").changeMark() == nil)
    }
}

/// A change to a file by its name.
enum FileChange: CaseIterable {
    case rewritten
    case cut
    case renamed
    case replaced
    case linked
    case removed

    func make(in place: Place) throws {
        let (path, other) = (place.path("file"), place.path("other"))
        switch self {
        case .rewritten: try LinuxFileSystem().open(path, for: .writing).write("text")
        case .cut: try LinuxFileSystem().open(path, for: .writing).truncate(to: 3)
        case .renamed: #expect(rename(path, place.path("new")) == 0)
        case .replaced: #expect(rename(other, path) == 0)
        case .linked: #expect(link(path, place.path("new")) == 0)
        case .removed: #expect(unlink(path) == 0)
        }
    }
}
