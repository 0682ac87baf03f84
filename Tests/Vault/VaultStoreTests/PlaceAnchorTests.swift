import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

/// Copies of a vault at several places of one machine: store.md, section 5.
@Suite("Anchors of places") struct PlaceAnchorTests {
    private func path(_ name: String) throws -> String { try TemporaryDirectory.current.appending(path: name).path }

    private func options(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> StoreOptions {
        var options = StoreOptions()
        options.anchorDirectory = try path("state")
        change(&options)
        return options
    }

    /// A vault at home with one item.
    private func home(files: any FileSystem = LinuxFileSystem()) throws -> StoreSample {
        let sample = try StoreSample(at: try path("home.coffer"), files: files, options: try options())
        try sample.store.add("kim", "mail", "x")
        return sample
    }

    private func open(_ sample: StoreSample, at name: String = "home.coffer") throws -> VaultStore {
        try VaultStore.open(at: try path(name), environment: sample.environment, options: try options()) { _ in
            sample.roots
        }
    }

    private func copy(_ from: String, _ to: String) throws {
        let target = try path(to)
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: try path(from), toPath: target)
    }

    private func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(atPath: try path(from), toPath: try path(to))
    }

    private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: try path(name)) }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: try path(name), withDestinationPath: try path(target))
    }

    private func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path(name)))) }

    private func anchorNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: try path("state")).sorted()
    }

    private func placeNames() throws -> [String] { try anchorNames().filter { $0.contains(".at-") } }

    /// Expects that a copy opens, for reading only, as one that is older than another file.
    private func expectOlder(
        _ sample: StoreSample,
        at name: String = "stick.coffer",
        than later: String = "home.coffer",
        by count: UInt64 = 1,
        passwords: [String] = ["kim mail x"]
    ) throws {
        let (before, anchors) = (try bytes(name), try anchorNames())
        let store = try open(sample, at: name)
        let copy = try #require(store.olderCopy)
        #expect(copy.path == (try path(name)))
        #expect(copy.laterPath == (try path(later)))
        #expect(copy.missingCount == count)
        #expect(try store.passwords().sorted() == passwords)
        let refusal = StoreError.readOnly(.olderCopy(copy), path: try path(name))
        #expect(throws: refusal) { try store.add("kim", "late", "x") }
        #expect(throws: refusal) { try store.compact() }
        #expect(throws: refusal) { try store.flush() }
        #expect(try bytes(name) == before)
        #expect(try anchorNames() == anchors)
    }

    private func expect(_ verdict: AnchorVerdict, of sample: StoreSample, at name: String = "stick.coffer") throws {
        #expect(throws: StoreError.rolledBack(.anchor(verdict), path: try path(name))) {
            try open(sample, at: name)
        }
    }

    private func expectWritable(_ name: String, _ item: String, _ sample: StoreSample) throws {
        let store = try open(sample, at: name)
        #expect(store.readOnlyReason == nil)
        try store.add("kim", item, "x")
    }

    // MARK: - The two orders

    /// An older copy on a stick was refused, with the words that somebody may have replaced the vault.
    @Test(.temporaryDirectory) func `an older copy at another place opens for reading`() throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        try sample.store.add("kim", "shop", "x")
        try expectOlder(sample)
        let text = try "\(#require(open(sample, at: "stick.coffer").readOnlyReason))"
        let (stick, home) = (try path("stick.coffer"), try path("home.coffer"))
        #expect(text.contains("older copy of \(home), 1 change behind it and last changed less than a day ago"))
        #expect(text.contains("coffer sync --take \(stick) --vault \(home)"))
        try expectWritable("home.coffer", "late", sample)
    }

    /// Writing a copy on a stick made the vault at home look rolled back.
    @Test(.temporaryDirectory, arguments: [false, true])
    func `writing a copy that is ahead leaves the vault at home usable`(isRemoved: Bool) throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        try expectWritable("stick.coffer", "shop", sample)
        if isRemoved { try remove("stick.coffer") }
        let home = try open(sample)
        #expect(try home.passwords() == ["kim mail x"])
        try home.add("kim", "bank", "x")
        #expect(try sample.store.passwords().sorted() == ["kim bank x", "kim mail x"])
        if !isRemoved { try expectWritable("stick.coffer", "late", sample) }
    }

    @Test(.temporaryDirectory) func `a copy from before a compaction is older too`() throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        try sample.store.compact()
        try expectOlder(sample, by: 0)
    }

    @Test(.temporaryDirectory) func `a copy with another history is refused as before`() throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        try sample.store.add("kim", "shop", "x")
        let elsewhere = try VaultStore.open(at: try path("stick.coffer"), environment: sample.environment) { _ in
            sample.roots
        }
        try elsewhere.add("kim", "bank", "x")
        try expect(.forked, of: sample)
    }

    @Test(.temporaryDirectory) func `an older copy whose end is damaged is refused as before`() throws {
        let sample = try home()
        let end = try #require(try sample.bytes().lastIndex { $0 != 0 })
        try copy("home.coffer", "stick.coffer")
        let handle = try FileHandle(forWritingTo: URL(filePath: path("stick.coffer")))
        try handle.seek(toOffset: UInt64(end + 1) / 64 * 64 + 128)
        try handle.write(contentsOf: [UInt8](repeating: 7, count: 256))
        try handle.close()
        try sample.store.add("kim", "shop", "x")
        try expect(.lostCommit, of: sample)
    }

    // MARK: - What counts as a rollback

    @Test(.temporaryDirectory) func `a place that was written accepts nothing older`() throws {
        let sample = try home()
        try copy("home.coffer", "old.coffer")
        try sample.store.add("kim", "shop", "x")
        try copy("home.coffer", "stick.coffer")
        try expectWritable("stick.coffer", "late", sample)
        for name in ["home.coffer", "stick.coffer"] {
            // The later file at the other place does not help.
            try copy(name, "later.coffer")
            try copy("old.coffer", name)
            try expect(.rollback, of: sample, at: name)
            try copy("later.coffer", name)
        }
    }

    /// What is in the other file is believed only if its keys open it, and it is not older than what was left there.
    @Test(.temporaryDirectory, arguments: ["missing", "older", "forged", "empty", "directory"])
    func `an older copy is refused if no later file is left`(state: String) throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        try sample.store.add("kim", "shop", "x")
        try expectOlder(sample)
        var forged = try bytes("home.coffer")
        // The generation.
        forged[40] ^= 0xFF
        try remove("home.coffer")
        switch state {
        case "older": try copy("stick.coffer", "home.coffer")
        case "forged": try Data(forged).write(to: URL(filePath: path("home.coffer")))
        case "empty": try Data().write(to: URL(filePath: path("home.coffer")))
        case "directory":
            try FileManager.default.createDirectory(atPath: try path("home.coffer"), withIntermediateDirectories: false)
        default: break
        }
        try expect(.rollback, of: sample)
    }

    @Test(.temporaryDirectory) func `an open older copy stays readable when the later file goes`() throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        try sample.store.add("kim", "shop", "x")
        let store = try open(sample, at: "stick.coffer")
        try remove("home.coffer")
        #expect(try store.passwords() == ["kim mail x"])
        #expect(throws: StoreError.self) { try store.add("kim", "late", "x") }
        #expect(throws: StoreError.rolledBack(.anchor(.rollback), path: try path("stick.coffer"))) {
            try store.passwords()
        }
    }

    /// The anchor of the vault went back with each change of a file that was behind, so older copies passed.
    @Test(.temporaryDirectory) func `writing a file that is behind does not make older copies acceptable`() throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        let stick = try open(sample, at: "stick.coffer")
        for number in 0..<3 { try stick.add("\(number)", "shop", "x") }
        try copy("stick.coffer", "third.coffer")
        try stick.add("3", "shop", "x")
        try open(sample).add("kim", "bank", "x")
        try expectOlder(
            sample,
            at: "third.coffer",
            than: "stick.coffer",
            passwords: ["0 shop x", "1 shop x", "2 shop x", "kim mail x"]
        )
        try remove("stick.coffer")
        try expect(.rollback, of: sample, at: "third.coffer")
    }

    @Test(.temporaryDirectory) func `an older copy can be accepted like any vault that was rolled back`() throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        try sample.store.add("kim", "shop", "x")
        try copy("stick.coffer", "old.coffer")
        try open(sample, at: "stick.coffer").acceptHistory()
        try expectWritable("stick.coffer", "late", sample)
        try expectWritable("home.coffer", "late", sample)
        try copy("old.coffer", "stick.coffer")
        try expect(.rollback, of: sample)
    }

    // MARK: - Moves and links

    @Test(.temporaryDirectory) func `a moved vault is used as before, and nothing older in its old place`() throws {
        let sample = try home()
        try copy("home.coffer", "old.coffer")
        try move("home.coffer", "moved.coffer")
        try expectWritable("moved.coffer", "shop", sample)
        #expect(try placeNames().count == 1, "the former place is forgotten")
        try copy("moved.coffer", "newer.coffer")
        try expectWritable("moved.coffer", "late", sample)
        // Back again, and then replaced by what was once left there.
        try remove("moved.coffer")
        try copy("old.coffer", "home.coffer")
        try expect(.rollback, of: sample, at: "home.coffer")
        try copy("newer.coffer", "home.coffer")
        try expect(.rollback, of: sample, at: "home.coffer")
    }

    @Test(.temporaryDirectory) func `a moved vault protects what was moved against an older file`() throws {
        let sample = try home()
        try copy("home.coffer", "old.coffer")
        try sample.store.add("kim", "shop", "x")
        try move("home.coffer", "moved.coffer")
        try copy("old.coffer", "home.coffer")
        try expect(.rollback, of: sample, at: "home.coffer")
        try copy("old.coffer", "moved.coffer")
        try expect(.rollback, of: sample, at: "moved.coffer")
    }

    @Test(.temporaryDirectory) func `a symbolic link leads to the place of the file`() throws {
        let sample = try home()
        try link("link.coffer", to: "home.coffer")
        try expectWritable("link.coffer", "shop", sample)
        #expect(try placeNames().count == 1)
        try copy("home.coffer", "stick.coffer")
        try expectWritable("link.coffer", "late", sample)
        try expectOlder(sample, passwords: ["kim mail x", "kim shop x"])
        try link("older.coffer", to: "stick.coffer")
        #expect(try open(sample, at: "older.coffer").olderCopy?.laterPath == (try path("home.coffer")))
    }

    /// A link to an older file, in place of the vault, must not make it a file at another place.
    @Test(.temporaryDirectory, arguments: [false, true])
    func `a link in place of the vault accepts nothing older`(wasWritten: Bool) throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        if wasWritten { try expectWritable("stick.coffer", "bank", sample) }
        for number in 0..<3 { try sample.store.add("\(number)", "shop", "x") }
        try move("home.coffer", "other.coffer")
        try expectWritable("other.coffer", "late", sample)
        try copy("other.coffer", "home.coffer")
        try expectWritable("home.coffer", "later", sample)
        try remove("home.coffer")
        try link("home.coffer", to: "stick.coffer")
        try expect(.rollback, of: sample, at: "home.coffer")
    }

    @Test(.temporaryDirectory) func `a hard link is a place of its own`() throws {
        let sample = try home()
        try FileManager.default.linkItem(atPath: try path("home.coffer"), toPath: try path("stick.coffer"))
        try expectWritable("stick.coffer", "shop", sample)
        try expectWritable("home.coffer", "bank", sample)
        #expect(try placeNames().count == 2)
        // From now on there are two files.
        try sample.store.compact()
        try expectWritable("home.coffer", "late", sample)
        try expectWritable("stick.coffer", "last", sample)
        try FileManager.default.linkItem(atPath: try path("home.coffer"), toPath: try path("third.coffer"))
        try open(sample).compact()
        #expect(try open(sample, at: "third.coffer").olderCopy?.laterPath == (try path("home.coffer")))
    }

    // MARK: - The files

    @Test(.temporaryDirectory) func `the number of places is bounded, and those without a file go first`() throws {
        let sample = try home()
        try copy("home.coffer", "old.coffer")
        try copy("home.coffer", "stick0.coffer")
        for number in 0..<20 {
            try expectWritable("stick\(number).coffer", "item \(number)", sample)
            try copy("stick\(number).coffer", "stick\(number + 1).coffer")
            // Not the latest, which would look as if it had been moved.
            if number != 4, number > 0 { try remove("stick\(number - 1).coffer") }
            #expect(try placeNames().count == min(number + 2, 16))
        }
        // Those that are still there are known: an older file in their place is a rollback.
        try copy("old.coffer", "stick3.coffer")
        try expect(.rollback, of: sample, at: "stick3.coffer")
        try expectWritable("home.coffer", "late", sample)
    }

    @Test(.temporaryDirectory) func `the anchor of a place is one of the vault, followed by the path`() throws {
        _ = try home()
        let names = try anchorNames()
        #expect(names.count == 2)
        let name = try #require(names.last)
        // b2sum -l 128 of the vault id and the path, in the keyed form of section 2, is what a sync uses, too.
        #expect(name.hasPrefix(names[0] + ".at-") && name.utf8.count == 32 + 4 + 32)
        let content = try bytes("state/\(name)")
        #expect(Array(content.dropFirst(1024)) == Array(try path("home.coffer").utf8))
        let slots = try bytes("state/\(names[0])")
        #expect(slots.count == 1024)
        #expect(Array(content.prefix(1024)) == slots, "both have seen the same changes")
    }

    @Test(.temporaryDirectory) func `anchors that cannot be written leave the rules of the vault`() throws {
        let files = HookedFiles()
        let sample = try home(files: files)
        try copy("home.coffer", "stick.coffer")
        files.setHook { operation, path throws(FileError) in
            guard path.contains("/state/"), [.create, .write].contains(operation) else { return }
            throw FileError(operation, path, reason: .diskFull)
        }
        try expectWritable("stick.coffer", "shop", sample)
        files.setHook { _, _ throws(FileError) in }
        #expect(try placeNames().count == 1)
        try expectWritable("stick.coffer", "late", sample)
        #expect(try placeNames().count == 2)
        try expectWritable("home.coffer", "late", sample)
    }

    @Test(.temporaryDirectory, arguments: ["text", "long", "link", "pipe", "other path"], [0, 1])
    func `another file in place of either anchor is kept, and forbids writing`(kind: String, number: Int) throws {
        let sample = try home()
        let path = try path("state/\(anchorNames()[number])")
        let content = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        switch kind {
        case "text": try Data("a letter".utf8).write(to: URL(filePath: path))
        case "long": try (content + [7]).write(to: URL(filePath: path))
        case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
        case "pipe": try #require(mkfifo(path, 0o600) == 0)
        default: try (content.prefix(1024) + Data("/other".utf8)).write(to: URL(filePath: path))
        }
        let store = try open(sample)
        #expect(try store.passwords() == ["kim mail x"])
        let failure = try #require(store.anchorFailure)
        #expect(throws: StoreError.readOnly(.anchorUnreadable(failure), path: sample.path)) {
            try store.add("kim", "shop", "x")
        }
    }

    /// None of them may vouch for an older copy, delay opening, or be changed.
    @Test(.temporaryDirectory) func `files that only look like anchors of places do not count`() throws {
        let sample = try home()
        try copy("home.coffer", "stick.coffer")
        try sample.store.add("kim", "shop", "x")
        try copy("home.coffer", "later.coffer")
        try remove("home.coffer")
        let anchor = try path("state/\(#require(placeNames().first))")
        let prefix = anchor.dropLast(32)
        let slots = try Data(contentsOf: URL(filePath: anchor)).prefix(1024)
        // Its name is that of another path.
        let later = try slots + Data(path("later.coffer").utf8)
        try later.write(to: URL(filePath: prefix + String(repeating: "0", count: 32)))
        try slots.write(to: URL(filePath: prefix + String(repeating: "1", count: 32)))
        try Data([0xFF]).write(to: URL(filePath: prefix + "x"))
        try #require(mkfifo(prefix + "pipe", 0o600) == 0)
        try expect(.rollback, of: sample)
    }
}
