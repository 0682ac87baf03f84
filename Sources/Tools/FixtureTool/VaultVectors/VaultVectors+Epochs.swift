// Sections 8.1 and 10.1: one writer in two epochs of a group, which share what was seen.

extension VaultVectors {
    static let epochsInTurn: [Vector] = [
        vault("epochs_in_turn", "puts of one writer in two epochs of a group, in turn").alternating(
            nil,
            of: [0, 1, 2]
        ),
        vault("epochs_in_turn_closed", "the same, for a device without match keys").alternating(nil, for: desk, of: []),
        vault("epochs_in_turn_for_device")
            .comment("the same, for a device that lacks the match key of epoch 1, and so the places before its items")
            .alternating(2, for: desk, of: [1]),
        vault("runs_of_epochs_in_order", "the same in runs: a run ends where the epoch changes").runs([[0], [1], [2]]),
        vault("runs_of_epochs_apart")
            .comment("the same with a run for each epoch: the put after one that was not seen yet is refused")
            .runs([[0, 2], [1]]),
        vault("run_place_seen_in_other_epoch", "a put in a run whose place the fence of another epoch has")
            .placeSeen(for: passphrase),
        vault("run_place_seen_in_closed_epoch", "the same, for a device without the match key of that epoch")
            .placeSeen(for: desk, isRefused: false),
    ]

    private static var sketch: VaultSketch { VaultSketch("epochs") }
    private static let desk: [Line] = [("device", sketch.device("desk").unlock)]

    /// A vault with items of the epochs 1, 2 and 1; the device `desk` has the match key of `epoch`, and can read its
    /// items.
    private static func epochs(_ epoch: UInt32?) -> (vault: VaultSketch, items: [SketchItem]) {
        var vault = sketch
        let device = vault.device("desk")
        vault.add(device, groups: [])
        let keys = epoch == 1 ? [vault.dataKey(.dk), vault.addEpoch2(.ck)] : [vault.dataKey(), vault.addEpoch2(.dk)]
        if epoch == 1 { vault.keybag.append(vault.dataKeyEntry(keys[0])) }
        if let epoch { vault.keybag.append(vault.matchKeyEntry(keys[Int(epoch) - 1].group, device)) }
        let items = [("one", keys[0]), ("two", keys[1]), ("three", keys[0])].map { vault.item($0, key: $1) }
        return (vault, items)
    }

    /// The items in the log; a reader with `unlock` reads those with the numbers `readable`.
    private func alternating(_ epoch: UInt32?, for unlock: [Line] = passphrase, of readable: [Int]) -> Vector {
        var (vault, items) = Self.epochs(epoch)
        items = items.map { vault.append($0)[0] }
        return success(vault.build().bytes, unlock: unlock, readable: readable.map { items[$0] })
    }

    /// The items in runs with these numbers; each put must follow the one before it.
    private func runs(_ runs: [[Int]]) -> Vector {
        var (vault, items) = Self.epochs(nil)
        vault.baseSequence = 3
        items = items.indices.map { items[$0].added(by: UInt64($0 + 1)) }
        var readable: [SketchItem] = []
        for numbers in runs {
            var entries: [SketchRun.Entry] = []
            for number in numbers {
                let isRefused = number != readable.count
                let record = vault.put(items[number]) { $0.previous = number == 0 ? 0 : items[number - 1].order }
                entries.append(Self.runEntry(UInt64(number + 1), isRefused ? record.failing : record))
                if !isRefused { readable.append(items[number]) }
            }
            var run = SketchRun(group: items[numbers[0]].key.group, entries: entries)
            run.name = "\(numbers)"
            vault.sections.append(run)
        }
        let failures = items.count - readable.count
        return vector(
            failures == 0 ? "success" : "record failure",
            vault.build().bytes,
            readable: readable,
            [("records failed", "\(failures)")]
        )
    }

    /// A put of epoch 1 whose place is in the fence of epoch 2 alone.
    private func placeSeen(for unlock: [Line], isRefused: Bool = true) -> Vector {
        var (vault, items) = Self.epochs(1)
        vault.baseSequence = 4
        let one = items[0].added(by: 4)
        vault.sections = [
            SketchGroupSection(one.key.group, []),
            SketchGroupSection(items[1].key.group, []) {
                $0.name = "2"
                $0.seen = [SketchWriter(id: vault.writer, place: 4 << 20)]
            },
        ]
        vault.sections.append(SketchRun(group: one.key.group, entries: [Self.runEntry(4, vault.put(one))]))
        let body = vault.build().bytes
        guard isRefused else { return success(body, unlock: unlock, readable: [one]) }
        return vector("record failure", body, unlock: unlock, readable: [], [("records failed", "1")])
    }
}
