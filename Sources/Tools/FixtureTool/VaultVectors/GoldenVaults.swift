/// A whole vault that every later version must be able to read.
struct GoldenVault {
    let name: String
    let vault: VaultSketch
    let items: [SketchItem]
    /// All the ways to open it.
    let ways: [[VaultVectors.Line]]

    var bytes: [UInt8] { vault.build().bytes }

    /// The files of the vault, by file name suffix.
    var files: [(suffix: String, bytes: [UInt8])] {
        let headers = ways.map { way in
            let lines =
                [("expect", "success")] + way + [("policy", "test"), ("items", "\(items.count)")]
                + [("content", items.contentHash)] + vault.directory.lines
            return lines.map { "\($0.0): \($0.1)\n" }.joined()
        }
        return [
            ("coffer", bytes), ("json", Array(items.dump.utf8)),
            ("keys", Array(headers.joined(separator: "\n").utf8)),
        ]
    }

    static var all: [GoldenVault] { [basic, device, slots, groups, largeItems, merged, deflated] }

    /// Returns a vault whose items will be in the snapshot.
    private static func vault(_ name: String, passphrase: String? = VaultSketch.passphrase) -> VaultSketch {
        var vault = VaultSketch("golden \(name)", passphrase: passphrase)
        vault.generation = 3
        vault.baseSequence = 100
        vault.previousChain = vault.randomness.bytes(32, "previous chain")
        return vault
    }

    /// Returns `items` as added by transactions before the base.
    private static func old(_ items: [SketchItem]) -> [SketchItem] {
        items.enumerated().map { $1.added(by: UInt64($0 + 1)) }
    }

    private static var basic: GoldenVault {
        var vault = vault("basic")
        vault.add(.ck)
        var items = old([
            vault.item("ann"), vault.item("bob"), vault.internet, vault.certificate, vault.privateKey,
            vault.item("in the background", key: vault.dataKey(.ck)), vault.item("none", secret: nil),
            vault.item("Zoë 🔑", secret: "naïve"),
            vault.item("on all machines", .genp, ["acct": .string("kim"), "sync": .int(1)]),
        ])
        vault.sections = [SketchGroupSection(vault.group(), items)]
        items[0] = items[0].revised(["icmt": .string("changed")], secret: "new")
        vault.append([vault.put(items[0])])
        vault.append([vault.delete(items[1])])
        items.remove(at: 1)
        items += vault.append(vault.item("max"), vault.item("liz", key: vault.dataKey(.ck)))
        return GoldenVault(name: "basic", vault: vault, items: items, ways: [VaultVectors.passphrase])
    }

    private static var device: GoldenVault {
        var vault = vault("device", passphrase: nil)
        let desk = vault.device("desk")
        vault.keybag.entries.insert(vault.slot(.device(desk)), at: 0)
        vault.add(desk)
        vault.add(.ck)
        vault.add(.dk)
        let owned: [Protection] = [.aku, .cku, .dku]
        for protection in owned { vault.add(protection, device: desk) }
        let keys =
            [Protection.ak, .ck, .dk].map { vault.dataKey($0) } + owned.map { vault.dataKey($0, owner: desk) }
        var items = old(keys.map { vault.item("\($0.protection)", key: $0) })
        vault.sections = [SketchGroupSection(vault.group(), items)]
        items += keys.flatMap { vault.append(vault.item("\($0.protection) in the log", key: $0)) }
        return GoldenVault(name: "device", vault: vault, items: items, ways: [[("device", desk.unlock)]])
    }

    private static var slots: GoldenVault {
        var vault = vault("slots")
        let desk = vault.device("desk")
        let both = vault.randomness.bytes(32, "other key file")
        let credentials: [SketchCredential] = [
            .keyFile(vault.keyFile), .passphraseAndKeyFile(Array("battery".utf8), both), .recovery(vault.recoveryCode),
        ]
        vault.keybag.entries.insert(contentsOf: credentials.map { vault.slot($0) }, at: 1)
        vault.add(desk)
        vault.add(.akpu, device: desk)
        let items = [nil, desk].flatMap { owner in
            let key = vault.dataKey(owner == nil ? .ak : .akpu, owner: owner)
            return vault.append(vault.item("\(key.protection)", key: key))
        }
        let device: VaultVectors.Line = ("device", desk.unlock)
        let ways: [[VaultVectors.Line]] = [
            VaultVectors.passphrase, [("keyfile-hex", vault.keyFile.hex)],
            [("passphrase", "battery"), ("keyfile-hex", both.hex)],
            [("recovery", VaultVectors.recoveryText(vault.recoveryCode))],
        ]
        return GoldenVault(name: "slots", vault: vault, items: items, ways: ways.map { $0 + [device] })
    }

    private static var groups: GoldenVault {
        var vault = vault("groups")
        vault.add(vault.group("work"))
        let work = vault.dataKey(group: "work")
        vault.keybag.entries += [vault.dataKeyEntry(work), .unknown()]
        var items = old([vault.item("ann"), vault.item("bob"), vault.item("ann at work", key: work)])
        var before = items[0]
        items[0] = before.revised(secret: "new")
        items[0].place = 97 << 20
        before.ended = 97
        vault.sections = [
            SketchGroupSection(vault.group(), Array(items[..<2])) { $0.past = [before] },
            SketchGroupSection(vault.group("work"), [items[2]]),
        ]
        items[2] = items[2].revised(["svce": .string("elsewhere")])
        let run = SketchRun.Entry(sequence: 99, time: SketchFrame.time(of: 99), record: vault.put(items[2]))
        vault.sections.append(SketchRun(group: vault.group("work"), entries: [run]))
        let unknown = SketchRun.Entry(sequence: 98, time: SketchFrame.time(of: 98), record: .unknown())
        vault.sections += [SketchRun(entries: [unknown]), UnknownSection()]
        items += vault.append(vault.item("max"), vault.item("max at work", key: work))
        vault.append([.unknown()])
        vault.directory.historySince = 90
        vault.directory.historyTime = SketchFrame.time(of: 90)
        vault.reserveByteCount = 4096
        return GoldenVault(name: "groups", vault: vault, items: items, ways: [VaultVectors.passphrase])
    }

    /// Two copies that became one: before the snapshot, and once more in the log.
    private static var merged: GoldenVault {
        var vault = vault("merged")
        let third = SketchWriter(id: vault.randomness.bytes(8, "third writer"), place: 60 << 20)
        var items = old([vault.item("ann"), vault.item("bob"), vault.item("kim"), vault.item("lea")])
        items[1].writer = vault.otherWriter
        func revision(of item: SketchItem, _ secret: String, _ salt: UInt8, place: UInt64) -> SketchItem {
            var item = item.revised(secret: secret)
            (item.salt, item.place) = ([salt] + zeros(7), place)
            return item
        }
        let here = revision(of: items[2], "here", 1, place: 90 << 20)
        var there = revision(of: items[2], "there", 2, place: 95 << 20 + 7)
        there.writer = vault.otherWriter
        vault.sections = [
            SketchGroupSection(vault.group(), [items[0], items[1], here, there, items[3]]) { $0.seen = [third] }
        ]
        items[2] = there

        // A third copy has changed `ann`, which was changed here too, and deleted `lea`. It had added more before.
        let later = revision(of: items[0], "changed here", 1, place: 101 << 20)
        vault.append([vault.put(later)])
        var theirs = revision(of: items[0], "changed there", 2, place: 80 << 20)
        var more = vault.item("max").added(by: 81)
        var past = items[3].revised(secret: "before it was deleted")
        more.place = more.order
        past.place = 82 << 20
        theirs.writer = third.id
        more.writer = third.id
        past.writer = third.id
        let replaced = vault.salt(of: items[0])
        vault.append([
            vault.seen([SketchWriter(id: third.id, place: 79 << 20)], in: vault.group()),
            vault.put(theirs) { $0.replaced = replaced }, vault.put(more), vault.delete(items[3]),
            vault.put(past) { $0.past = 1 },
            vault.seen([SketchWriter(id: third.id, place: 83 << 20)], in: vault.group()),
        ])
        items = [theirs, items[1], there, more]
        return GoldenVault(name: "merged", vault: vault, items: items, ways: [VaultVectors.passphrase])
    }

    private static var largeItems: GoldenVault {
        var vault = vault("large items")
        func large(_ name: String) -> SketchItem {
            let secret = SketchSecret.data(vault.randomness.bytes(20_480, name))
            return vault.item(name, .genp, ["acct": .string(name)], secret: secret)
        }
        var items = old([large("one")] + (1...60).map { vault.item("number \($0)") } + [large("two")])
        vault.sections = [SketchGroupSection(vault.group(), items)]
        items += vault.append(large("three"))
        return GoldenVault(name: "large-items", vault: vault, items: items, ways: [VaultVectors.passphrase])
    }

    /// Deflated metadata with two dictionaries of one data key and one of another, live, contested and past.
    private static var deflated: GoldenVault {
        var vault = vault("deflated")
        vault.add(.ck)
        let names = (1...50).map { vault.item("number \($0)", key: $0 > 40 ? vault.dataKey(.ck) : nil) }
        var items = old(names + [vault.item("contested"), vault.internet])
        for index in 0..<50 { items[index].dictionary = index < 20 ? 1 : index < 40 ? 2 : 3 }
        var past = Array(items[..<3])
        for index in past.indices {
            past[index].ended = UInt64(60 + index)
            items[index] = items[index].revised(["icmt": .string("changed")], secret: "new")
            items[index].place = past[index].ended << 20
        }
        past[2].dictionary = 0
        let (dictionaryItems, other) = (Array(items[3..<11]), Array(items[20..<28]))
        var here = items[50].revised(secret: "here")
        var there = items[50].revised(secret: "there")
        (here.salt, here.place, here.dictionary) = ([1] + zeros(7), 90 << 20, 1)
        (there.salt, there.place, there.dictionary) = ([2] + zeros(7), 95 << 20 + 7, 2)
        there.writer = vault.otherWriter
        items.remove(at: 50)
        vault.sections = [
            SketchGroupSection(vault.group(), items + [here, there]) { section in
                section.past = past
                section.dictionaries = [
                    vault.dictionary("one", of: dictionaryItems), vault.dictionary("two", of: other),
                    vault.dictionary("three", of: Array(items[40..<48])),
                ]
            }
        ]
        items.append(there)
        items[10] = items[10].revised(secret: "changed in the log")
        vault.append([vault.put(items[10])])
        vault.append([vault.delete(items[11])])
        items.remove(at: 11)
        return GoldenVault(name: "deflated", vault: vault, items: items, ways: [VaultVectors.passphrase])
    }
}
