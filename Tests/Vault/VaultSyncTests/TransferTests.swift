import TestSupport
import Testing
import VaultFiles

@testable import VaultSync

@Suite("Fetching and sending a vault") struct TransferTests {
    @Test func `a vault is fetched as it is, with the zeros at its end`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(100_000) + [UInt8](repeating: 0, count: 4096)
        try machines.server.put(vault, at: SyncedMachines.path)
        _ = try machines.fetch()
        #expect(try machines.fetched == vault)
    }

    @Test func `fetching again what has not changed costs less than 500 bytes`() throws {
        let machines = try SyncedMachines()
        try machines.server.put(SyncedMachines.vault(1_000_000), at: SyncedMachines.path)
        _ = try machines.fetch()
        #expect(try machines.fetch() < 500)
    }

    @Test func `of a vault that has grown, only what is new travels`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1_000_000)
        try machines.server.put(vault, at: SyncedMachines.path)
        _ = try machines.fetch()
        let grown = vault + SyncedMachines.bytes(2000, seed: 2)
        try machines.server.put(grown, at: SyncedMachines.path)
        #expect(try machines.fetch() < 2000 + 500)
        #expect(try machines.fetched == grown)
    }

    @Test func `of a vault that was changed in the middle, only the changed pieces travel`() throws {
        let machines = try SyncedMachines()
        var vault = try SyncedMachines.vault(1_000_000)
        try machines.server.put(vault, at: SyncedMachines.path)
        _ = try machines.fetch()
        vault.insert(contentsOf: SyncedMachines.bytes(100, seed: 2), at: 500_000)
        try machines.server.put(vault, at: SyncedMachines.path)
        // Two pieces of at most 64 KiB, and 20 bytes for each of the others.
        #expect(try machines.fetch() < 140_000)
        #expect(try machines.fetched == vault)
    }

    @Test(arguments: 1...40) func `a transfer that was cut off goes on where it ended`(step: Int) throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(400_000)
        try machines.server.put(vault, at: SyncedMachines.path)
        let cut = step * 10_000
        #expect(throws: SyncFailure.self) { try machines.fetch(cutAfter: cut) }
        // What had arrived when the connection was cut is not sent again, but for the last messages.
        #expect(try machines.fetch() < vault.count - cut + 135_000)
        #expect(try machines.fetched == vault)
    }

    @Test func `what is sent waits beside the vault`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(300_000)
        try machines.server.put(vault, at: SyncedMachines.path)
        let other = try SyncedMachines.vault(300_000, seed: 2)
        #expect(try machines.push(other) == .waiting)
        #expect(try machines.served == vault)
        #expect(try machines.received == other)
        // What begins with all that waits takes its place.
        let grown = try SyncedMachines.grown(other, by: 500, seed: 3)
        #expect(try machines.push(grown) == .waiting)
        #expect(try machines.received == grown)
        #expect(try machines.served == vault)
        #expect(try machines.names == ["login.coffer", "login.coffer.received"])
    }

    @Test func `a side that has the keys merges at once`() throws {
        let machines = try SyncedMachines()
        try machines.server.put(SyncedMachines.vault(1000), at: SyncedMachines.path)
        try machines.client.put(SyncedMachines.vault(1000, seed: 2), at: "/copies/work")
        let server = machines.server
        let outcome = try machines.push(SyncedMachines.vault(1000, seed: 2)) {
            try? server.locate(SyncedMachines.path).directory.remove("login.coffer.received")
        }
        #expect(outcome == .merged)
    }

    @Test func `a vault that does not exist is created`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(300_000)
        #expect(try machines.push(vault) == .created)
        #expect(try machines.served == vault)
    }

    @Test(arguments: [0, 300_000]) func `nothing is done if the vault has changed since it was seen`(byteCount: Int)
        throws
    {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1000)
        try machines.server.put(vault, at: SyncedMachines.path)
        let seen = try machines.connected { client in [SyncedContent(.vault, try machines.fetch(client))] }
        let changed = vault + SyncedMachines.bytes(10, seed: 3)
        try machines.server.put(changed, at: SyncedMachines.path)
        let own =
            try byteCount > 0
            ? SyncedMachines.vault(byteCount, seed: 2) : SyncedMachines.grown(vault, by: 20, seed: 4)
        #expect(try machines.push(own, seen: seen) == nil)
        #expect(try machines.served == changed)
        #expect(try machines.received == [])
    }

    @Test func `what was sent until the connection was cut is not sent again`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1000)
        try machines.server.put(vault, at: SyncedMachines.path)
        let other = try SyncedMachines.vault(1_000_000, seed: 2)
        #expect(throws: SyncFailure.self) { try machines.push(other, cutAfter: 600_000) }
        #expect(try machines.received == [])
        try machines.client.put(other, at: "/copies/work")
        let byteCount = try machines.connected { client in
            let seen = [SyncedContent(.vault, try machines.fetch(client))]
            let file = try machines.client.locate("/copies/work").directory.open("work", for: .reading)
            #expect(try client.push(file, seen: seen) { _ in } == .waiting)
            return client.connection.sentByteCount
        }
        #expect(byteCount < 550_000)
        #expect(try machines.received == other)
    }

    @Test func `a change that comes before the other side waits is told too`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1000)
        try machines.server.put(vault, at: SyncedMachines.path)
        try machines.connected { client in
            _ = try machines.fetch(client)
            try machines.server.put(vault + [1], at: SyncedMachines.path)
            try client.beginWaiting()
            #expect(try client.hasChanged(timeout: .seconds(30)))
        }
    }

    @Test func `a file that is gone when it is fetched leaves the connection usable`() throws {
        let machines = try SyncedMachines()
        try machines.server.put(SyncedMachines.vault(1000), at: SyncedMachines.path)
        try machines.connected { client in
            let directory = try machines.client.locate("/copies/x").directory
            #expect(try client.fetch(.waiting(1), as: "copy", in: directory, from: []) { _ in } == nil)
            _ = try machines.fetch(client)
        }
    }

    @Test(arguments: [100, 300_000]) func `two transfers to one place exclude each other`(byteCount: Int) throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1000)
        try machines.server.put(vault, at: SyncedMachines.path)
        let own = try SyncedMachines.grown(vault, by: byteCount, seed: 2)
        // Another process puts a file together.
        let directory = try machines.server.locate(SyncedMachines.path).directory
        let part = try directory.create(".login.coffer.part")
        #expect(try part.tryLock())
        if byteCount > 1000 {
            #expect(throws: SyncFailure.refused(.busy, "another transfer to the same place is under way")) {
                try machines.push(own)
            }
            #expect(try machines.received == [])
            try part.unlock()
        }
        // A small change needs no such file, so nobody can hold it up.
        #expect(try machines.push(own) == .waiting)
        #expect(try machines.served == vault)
        #expect(try machines.received == own)
    }

    @Test(arguments: [2000, 300_000]) func `a full disk keeps nothing there, and the next try succeeds`(byteCount: Int)
        throws
    {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault()
        try machines.server.put(vault, at: SyncedMachines.path)
        machines.server.isFull = true
        let own = try SyncedMachines.grown(vault, by: byteCount, seed: 2)
        let failure = #expect(throws: SyncFailure.self) { try machines.push(own) }
        guard case .refused(.other, let text) = failure else { return #expect(failure == nil) }
        #expect(text.hasSuffix("the disk is full; free some space and try again"))
        #expect(try machines.served == vault)
        #expect(try machines.names == ["login.coffer"])
        machines.server.isFull = false
        #expect(try machines.push(own) == .waiting)
        #expect(try machines.received == own)
    }

    @Test(arguments: [2000, 600_000]) func `a disk that becomes full keeps what was fetched before`(byteCount: Int)
        throws
    {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1000)
        try machines.server.put(vault, at: SyncedMachines.path)
        _ = try machines.fetch()
        let grown = try SyncedMachines.grown(vault, by: byteCount, seed: 2)
        try machines.server.put(grown, at: SyncedMachines.path)
        let directory = try machines.client.locate("/copies/x").directory
        let error = #expect(throws: FileError.self) {
            try machines.connected { client in
                try client.fetch(.vault, as: SyncedMachines.copyName, in: directory, from: []) { _ in
                    machines.client.isFull = true
                }
            }
        }
        #expect(error?.reason == .diskFull)
        #expect(try machines.fetched == vault)
        #expect(try directory.names() == [SyncedMachines.copyName])
        machines.client.isFull = false
        _ = try machines.fetch()
        #expect(try machines.fetched == grown)
    }

    @Test func `a change is told to a side that waits`() throws {
        let machines = try SyncedMachines()
        let vault = try SyncedMachines.vault(1000)
        try machines.server.put(vault, at: SyncedMachines.path)
        try machines.connected { client in
            try client.beginWaiting()
            #expect(try !client.hasChanged(timeout: .milliseconds(10)))
            try machines.server.put(vault + [1], at: SyncedMachines.path)
            #expect(try client.hasChanged(timeout: .seconds(30)))
            // A side that no longer waits can go on at once.
            try client.beginWaiting()
            try client.endWaiting()
            _ = try machines.fetch(client)
        }
        #expect(try machines.fetched == vault + [1])
    }

    @Test func `a file that is not a vault is never sent`() throws {
        let machines = try SyncedMachines()
        try machines.server.put(Array("root:x:0:0:".utf8), at: "/vaults/passwd")
        #expect(throws: SyncFailure.refused(.notAVault, "/vaults/passwd is not a vault")) {
            try machines.connected(path: "/vaults/passwd") { _ in }
        }
    }
}
