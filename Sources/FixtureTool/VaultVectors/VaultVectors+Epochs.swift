// Sections 8.1 and 10.1: one writer in two epochs of a group, whose places are seen in both.

extension VaultVectors {
    static let epochsInTurn: [Vector] = [
        alternating("epochs_alternate", "puts of one writer in two epochs of a group, in turn", unlock: passphrase) {
            $0
        },
        alternating(
            "epochs_alternate_for_device",
            "the same, for a device that has no match key: nothing is known of the items",
            unlock: [("device", VaultSketch("epochs_alternate").device("desk").unlock)]
        ) { _ in [] },
        runs("runs_of_epochs_in_order", "the same in runs: a run ends where the epoch changes", [[0], [1], [2]]),
        runs(
            "runs_of_epochs_apart",
            "the same with a run for each epoch: the put after one that was not seen yet is refused",
            [[0, 2], [1]]
        ),
    ]

    /// The vault whose writer puts items in the epochs 1, 2 and 1.
    private static func vault() -> (vault: VaultSketch, items: [SketchItem]) {
        var vault = VaultSketch("epochs_alternate")
        vault.add(vault.device("desk"), groups: [])
        let key = vault.addEpoch2()
        return (vault, [vault.item("one"), vault.item("two", key: key), vault.item("three")])
    }

    private static func alternating(
        _ name: String,
        _ comment: String,
        unlock: [Line],
        readable: ([SketchItem]) -> [SketchItem]
    ) -> Vector {
        var (vault, items) = vault()
        items = items.map { vault.append($0)[0] }
        return success(name, comment, vault.build().bytes, unlock: unlock, readable: readable(items))
    }

    /// The puts in runs with these numbers, in their order; each must follow the one before it.
    private static func runs(_ name: String, _ comment: String, _ runs: [[Int]]) -> Vector {
        var (vault, items) = vault()
        vault.baseSequence = 3
        items = items.indices.map { items[$0].added(by: UInt64($0 + 1)) }
        var readable: [SketchItem] = []
        for numbers in runs {
            var entries: [SketchRun.Entry] = []
            for number in numbers {
                let isRefused = number != readable.count
                let record = vault.put(items[number]) { $0.previous = number == 0 ? 0 : items[number - 1].order }
                entries.append(runEntry(UInt64(number + 1), isRefused ? record.failing : record))
                if !isRefused { readable.append(items[number]) }
            }
            var run = SketchRun(group: items[numbers[0]].key.group, entries: entries)
            run.name = "\(numbers)"
            vault.sections.append(run)
        }
        let failures = items.count - readable.count
        return vector(
            name,
            failures == 0 ? "success" : "record failure",
            comment,
            vault.build().bytes,
            readable: readable,
            [("records failed", "\(failures)")]
        )
    }
}
