import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultStore

@Suite("An unchanged vault", .temporaryDirectory, .enabled(if: FileMarks.arePossible)) struct UnchangedVaultTests {
    @Test(arguments: OtherWork.allCases, [false, true])
    func `changes by others are seen, at once and after a pause`(work: OtherWork, afterRest: Bool) throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.add("kim", "mail", "sesame")
        let reader = try sample.reopened()
        let (directory, name) = try LinuxFileSystem().locate(sample.path)
        let file = try directory.open(name, for: .reading)
        _ = try FileMarks.mark(of: file)
        // The second time nothing is read: the file still has the same mark.
        for _ in 1...2 { #expect(try reader.passwords() == ["kim mail sesame"]) }
        try work.do(in: sample)
        if afterRest { _ = try FileMarks.mark(of: file) }
        #expect(try reader.passwords() == ["kim mail sesame", "kim shop x"])
    }

    @Test func `a vault that vanished is an error`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        let (directory, name) = try LinuxFileSystem().locate(sample.path)
        _ = try FileMarks.mark(of: directory.open(name, for: .reading))
        for _ in 1...2 { #expect(try sample.store.passwords() == []) }
        try directory.remove(name)
        #expect(throws: StoreError.self) { try sample.store.passwords() }
    }
}

/// How another process adds an item to a vault.
enum OtherWork: CaseIterable {
    case append
    case compact
    case replaceByCopy

    func `do`(in sample: StoreSample) throws {
        try sample.store.add("kim", "shop", "x")
        switch self {
        case .append: break
        case .compact: try sample.store.compact()
        case .replaceByCopy: try sample.replaceFile(with: sample.bytes())
        }
    }
}
