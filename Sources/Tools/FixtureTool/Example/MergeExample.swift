/// The second worked example: the vault of the first one, later, with a snapshot, in two copies that are merged.
struct MergeExample: ExampleDocument {
    /// Copy A, after the merge.
    let vault: VaultSketch
    let file: VaultFile
    /// Copy B.
    let other: OtherCopy
    let section: SketchGroupSection
    let settings: SketchRecord
    let settingsArchive: [UInt8]
    /// The revisions of `kim`: the first, that of copy A and that of copy B.
    let (kim, kimOfA, kimOfB): (SketchItem, SketchItem, SketchItem)
    let lea: SketchItem
    let boxes = BoxCollector()

    struct OtherCopy: ExampleDocument {
        let vault: VaultSketch
        let file: VaultFile
    }

    /// The sealed boxes by name, as they are built.
    final class BoxCollector {
        private(set) var boxes: [String: any ExampleBox] = [:]

        /// Returns an edit that changes nothing and keeps the box as `name`.
        func keep<Box: ExampleBox>(_ name: String) -> (inout Box) -> Void {
            { [self] box in boxes[name] = box }
        }

        subscript(name: String) -> any ExampleBox {
            guard let box = boxes[name] else { preconditionFailure("no box \(name) was built") }
            return box
        }
    }

    init() {
        var first = VaultSketch("example")
        let kim = first.append(first.item("kim"))[0]
        let firstFile = first.build()

        var second = VaultSketch("example")
        second.keybag.entries.append(second.teamKeyEntry())
        second.continueGeneration(2, base: 1, chain: firstFile.chains[1])
        second.sections = [SketchGroupSection(second.group(), [kim]) { $0.name = "2" }]
        let archive = canonicalArchive(["historyRevisions": .int(3)])
        let settings = second.settings(archive: archive)
        second.append([settings])

        let boxes = boxes
        var third = second
        third.continueGeneration(3, base: 2, chain: second.build().chains[1])
        third.directory.box = boxes.keep("directory")
        section = SketchGroupSection(third.group(), [kim]) {
            $0.name = "3"
            $0.entries = { entries in
                boxes.keep("metadata")(&entries[0].metadata)
                if var secret = entries[0].secret { boxes.keep("secret")(&secret) }
            }
            $0.leaves = { $0[0].box = boxes.keep("page") }
            $0.idPages = { $0[0].box = boxes.keep("id page") }
            $0.fenceBox = boxes.keep("fence")
        }
        var run = SketchRun(entries: [.init(sequence: 2, time: SketchFrame.time(of: 2), record: settings)])
        run.box = boxes.keep("run")
        third.sections = [section, run]

        // Copy A changes `kim`, with the writer of the first example.
        var copyA = third
        kimOfA = copyA.revision(of: kim, "here")
        copyA.append([copyA.put(kimOfA, Self.keeping("A", boxes))])

        // Copy B changes it too, adds `lea`, and deletes `lea`.
        var copyB = third
        var kimOfB = copyB.revision(of: kim, "there")
        var lea = copyB.item("lea", secret: "open").added(by: 3, number: 1)
        (kimOfB.writer, kimOfB.place) = (third.otherWriter, 3 << 20)
        (lea.writer, lea.place) = (third.otherWriter, lea.order)
        copyB.append([copyB.put(kimOfB), copyB.put(lea, Self.keeping("lea of B", boxes))])
        copyB.append([copyB.delete(lea)])
        other = OtherCopy(vault: copyB, file: copyB.build())

        // Copy A takes over all of that.
        let replaced = third.salt(of: kim)
        let seen = [SketchWriter(id: third.otherWriter, place: lea.order)]
        copyA.append([
            copyA.put(kimOfB) { put in
                put.replaced = replaced
                Self.keeping("B", boxes)(&put)
            },
            copyA.put(lea) { put in
                put.past = 1
                Self.keeping("lea", boxes)(&put)
            },
            copyA.seen(seen, in: third.group()),
        ])
        (self.kim, self.kimOfB, self.lea) = (kim, kimOfB, lea)
        (self.settings, settingsArchive) = (settings, archive)
        vault = copyA
        file = copyA.build()
        precondition(vault.salt(of: kimOfA).lexicographicallyPrecedes(vault.salt(of: kimOfB)), "A is current")
    }

    private static func keeping(_ name: String, _ boxes: BoxCollector) -> SketchPut.Edit {
        { put in
            put.matchBox = boxes.keep("\(name) match")
            put.metadataBox = boxes.keep("\(name) metadata")
            put.secretBox = boxes.keep("\(name) secret")
        }
    }

    var text: String {
        let parts =
            [introduction, story, secrets, header, keybag, directory] + groupSection + [run, copyA, copyB]
            + [merge, mergeFrame, result]
        return parts.joined(separator: "\n")
    }

    /// Returns the values that the box `name` is sealed with, and its content in `parts`.
    func explained(_ name: String, _ parts: [(Int, String)]) -> String { explained(boxes[name], parts) }
}

extension VaultSketch {
    /// Makes this vault the replacement of one whose chain value at `base` is `chain`.
    fileprivate mutating func continueGeneration(_ generation: UInt64, base: UInt64, chain: [UInt8]) {
        (self.generation, baseSequence, previousChain, frames) = (generation, base, chain, [])
        generationSalt = randomness.bytes(16, "generation salt \(generation)")
    }

    /// Returns the second revision of `item` with the secret `secret`, which also names its salt.
    fileprivate func revision(of item: SketchItem, _ secret: String) -> SketchItem {
        var item = item.revised(secret: secret)
        item.salt = randomness.bytes(8, "salt for \(secret)")
        return item
    }
}
