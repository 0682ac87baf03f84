// Section 5.5: deflated metadata and their dictionaries.

extension VaultVectors {
    static let deflated: [Vector] = validDeflated + dictionaries + streams

    /// Deflates the metadata of all items with a dictionary of the first two, which `edit` changes.
    private static func deflating(
        in seed: String,
        _ edit: @escaping (inout SketchGroupSection) -> Void
    ) -> (inout SketchGroupSection) -> Void {
        { section in
            section.dictionaries = [VaultSketch(seed).dictionary(of: Array(section.items.prefix(2)))]
            for index in section.items.indices { section.items[index].dictionary = 1 }
            edit(&section)
        }
    }

    private func deflates(_ edit: @escaping (inout SketchGroupSection) -> Void = { _ in }) -> Vector {
        reads(["ann", "bob", "kim"], Self.deflating(in: name, edit))
    }

    /// The same, where the whole snapshot is wrong.
    private func wrong(_ edit: @escaping (inout SketchGroupSection) -> Void) -> Vector {
        snapshot(Self.deflating(in: name, edit))
    }

    /// A section of which `ann` alone cannot be read: `edit` changes her entry.
    private func fails(_ edit: @escaping (inout SketchLeafEntry) -> Void) -> Vector {
        withoutAnn(section: Self.deflating(in: name) { _ in }, edit)
    }

    /// Replaces the stream of an entry by what `make` makes of the archive of `ann`.
    private func stream(_ make: @escaping ([UInt8]) -> [UInt8]) -> Vector {
        let archive = VaultSketch(name).item("ann").metadata
        return deflates { section in
            let ann = section.items[0].id
            section.entries = { entries in
                for index in entries.indices where entries[index].itemID == ann {
                    entries[index].metadata.content = make(archive)
                }
            }
        }
    }

    /// Gives `ann` metadata of this size, in a box of 48 bytes.
    private func inflates(to byteCount: Int, fails: Bool = false) -> Vector {
        func edit(_ section: inout SketchGroupSection) {
            var ann = section.items[0]
            ann.attributes["desc"] = .string(String(repeating: "d", count: 300))
            let missing = byteCount - ann.metadata.count
            ann.attributes["desc"] = .string(String(repeating: "d", count: 300 + missing))
            precondition(ann.metadata.count == byteCount, "another size: \(ann.metadata.count)")
            section.items[0] = ann
            section.dictionaries[0].content = ann.metadata
        }
        return fails ? withoutAnn(section: Self.deflating(in: name, edit)) { _ in } : deflates(edit)
    }

    /// Returns `bytes` as a block that is not compressed, the last one of its stream or not.
    private static func stored(_ bytes: [UInt8], isLast: Bool = true) -> [UInt8] {
        [isLast ? 1 : 0] + u16(bytes.count) + u16(~bytes.count) + bytes
    }

    private static let validDeflated: [Vector] = [
        vault("deflated", "three items whose metadata are deflated with a dictionary").deflates(),
        vault("deflated_one", "one item whose metadata are deflated, and two others").deflates {
            for index in 1...2 { $0.items[index].dictionary = 0 }
        },
        vault("deflated_by_two_dictionaries", "two dictionaries of one data key").deflates { section in
            var other = section.dictionaries[0]
            other.id.flip(0)
            other.content = Array(other.content.dropFirst(100))
            section.dictionaries.append(other)
            section.items[2].dictionary = 2
        },
        vault("deflated_of_two_keys", "dictionaries of two data keys, one of which was destroyed")
            .compacted { vault, items in
                var gone = vault.item("gone", key: vault.dataKey(.ck)).added(by: 3, number: 1)
                let dictionaries = [vault.dictionary("of gone", of: [gone]), vault.dictionary(of: items)]
                gone.dictionary = 1
                for index in items.indices { items[index].dictionary = 2 }
                vault.sections = [
                    SketchGroupSection(vault.group(), items + [gone]) { $0.dictionaries = dictionaries }
                ]
                return items
            },
        vault("deflated_locked", "deflated metadata for a machine that lacks their data key")
            .compacted(unlock: [.device("desk")], locked: 3) { vault, items in
                vault.addDevice("desk")
                let dictionary = vault.dictionary(of: items)
                for index in items.indices { items[index].dictionary = 1 }
                vault.sections = [SketchGroupSection(vault.group(), items) { $0.dictionaries = [dictionary] }]
                return []
            },
        vault("deflated_past", "deflated metadata in a past leaf").deflates { section in
            section.past = [section.items[0]]
            section.items[0] = section.items[0].revised(secret: "new")
        },
        vault("deflated_stored", "a stream of a block that is not compressed").stream { stored($0) },
        vault("deflated_blocks", "a stream of three blocks, the last of them empty").stream { archive in
            stored(Array(archive[..<50]), isLast: false) + stored(Array(archive[50...]), isLast: false) + stored([])
        },
        vault("deflated_16_times", "metadata that inflate to 16 times the size of their box").inflates(to: 768),
        vault("deflated_65536", "metadata that inflate to 65,536 bytes").deflates { section in
            section.items[2] = section.items[2].withMetadata(of: 65_536)
            let kim = section.items[2]
            section.entries = { entries in
                for index in entries.indices where entries[index].itemID == kim.id {
                    entries[index].metadata.content = Deflate.stream(kim.metadata, longest: 16)
                }
            }
        }.limited,
        vault("dictionary_unused", "a dictionary that no entry uses").deflates {
            for index in $0.items.indices { $0.items[index].dictionary = 0 }
        },
        vault("dictionary_of_1", "a dictionary of one byte").deflates { $0.dictionaries[0].content = [7] },
        vault("dictionary_of_32768", "a dictionary of 32,768 bytes")
            .deflates { $0.dictionaries[0].content += zeros(32_768 - $0.dictionaries[0].content.count) },
    ]

    // MARK: - Dictionaries that are wrong

    private static let dictionaries: [Vector] = [
        vault("dictionary_does_not_open", "a dictionary that does not open")
            .wrong { $0.dictionaries[0].box = { $0.key = zeros(32) } },
        vault("dictionary_unused_does_not_open", "a dictionary that does not open, which no entry uses").wrong {
            for index in $0.items.indices { $0.items[index].dictionary = 0 }
            $0.dictionaries[0].box = { $0.key = zeros(32) }
        },
        vault("dictionary_of_other_id", "a dictionary that was sealed under another id")
            .wrong { $0.dictionaries[0].box = { $0.associatedData.flip(40) } },
        vault("dictionary_padding", "a dictionary with padding that is not zero")
            .wrong {
                $0.dictionaries[0].content.removeLast()
                $0.dictionaries[0].box = SketchBox.paddingNotZero
            },
        vault("dictionary_empty", "a dictionary of no bytes").wrong { $0.dictionaries[0].content = [] },
        vault("dictionary_of_32769", "a dictionary of 32,769 bytes")
            .wrong { $0.dictionaries[0].content += zeros(32_769 - $0.dictionaries[0].content.count) },
        vault("dictionary_id_twice", "two dictionaries with one id")
            .wrong { $0.dictionaries.append($0.dictionaries[0]) },
        vault("dictionary_key_beyond_fence", "a dictionary of data key 1 where there is only number 0")
            .wrong { $0.fence = { $0.dictionaries[0].number = 1 } },
        vault("dictionary_reserved", "a reserved byte after a dictionary")
            .wrong { $0.fence = { $0.dictionaries[0].reserved = 1 } },
        vault("dictionary_odd", "a dictionary that ends 16 bytes too late").wrong { section in
            section.dictionaries[0].box = { $0.byteCount = pad(44 + $0.content.count) + 16 }
        },
        vault("dictionary_odd_locked", "the same without its data key").oddForDesk,
        vault("dictionary_end_0", "a dictionary that ends where it begins")
            .wrong { $0.fence = { $0.dictionaries[0].end = 0 } },
        vault("dictionary_of_other_key", "an entry with a dictionary of another data key").otherKey,
    ]

    private var oddForDesk: Vector {
        let edit = Self.deflating(in: name) { section in
            section.dictionaries[0].box = { $0.byteCount = pad(44 + $0.content.count) + 16 }
        }
        return compacted(section: edit, expect: "snapshot failure", unlock: [.device("desk")]) { vault, _ in
            vault.addDevice("desk")
            return nil
        }
    }

    private var otherKey: Vector {
        compacted(expect: "snapshot failure") { vault, items in
            vault.add(.ck)
            let dictionary = vault.dictionary(of: items)
            for index in items.indices { items[index].dictionary = 1 }
            items[0].key = vault.dataKey(.ck)
            vault.sections = [SketchGroupSection(vault.group(), items) { $0.dictionaries = [dictionary] }]
            return nil
        }
    }

    // MARK: - Streams that are wrong

    private static let streams: [Vector] = [
        vault("deflated_not_a_stream", "a block of a type that does not exist")
            .fails { $0.metadata.content[0] |= 7 },
        vault("deflated_cut", "a stream that ends early").fails { $0.metadata.content.removeLast() },
        vault("deflated_empty", "no stream").fails { $0.metadata.content = [] },
        vault("deflated_followed", "a byte after the stream").fails { $0.metadata.content.append(0) },
        vault("deflated_twice", "two streams").fails { $0.metadata.content += stored([]) },
        vault("deflated_last_block_missing", "a stream without a last block").fails {
            $0.metadata.content = stored(VaultSketch("deflated_last_block_missing").item("ann").metadata, isLast: false)
        },
        vault("deflated_zlib", "a stream with the frame of zlib").fails {
            $0.metadata.content = [0x78, 0x9C] + stored(VaultSketch("deflated_zlib").item("ann").metadata) + zeros(4)
        },
        vault("deflated_beyond_dictionary", "a match that begins before the dictionary").fails {
            $0.metadata.content = Deflate.stream([1, 2, 3], dictionary: [1, 2, 3] + zeros(4096))
        },
        vault("deflated_not_canonical", "a stream of an archive with a byte more").fails {
            $0.metadata.content = stored(VaultSketch("deflated_not_canonical").item("ann").metadata + [0])
        },
        vault("deflated_under_other_dictionary", "metadata that were sealed for another dictionary")
            .fails { $0.metadata.associatedData.replaceEnd(with: zeros(8)) },
        vault("deflated_as_stored", "deflated metadata in an entry that says they are not")
            .fails { $0.dictionary = 0 },
        vault("deflated_sealed_as_stored", "deflated metadata that were sealed as metadata that are not")
            .fails { $0.metadata.associatedData = $0.metadata.associatedData.prefix(64) + u32(2) },
        vault("deflated_more_than_16_times", "metadata that inflate to a byte more than 16 times the size of their box")
            .inflates(to: 769, fails: true),
        vault("deflated_65537", "metadata that inflate to 65,537 bytes").fails {
            $0.metadata.content = Deflate.stream(ann65537.metadata, longest: 16)
        }.limited,
        vault("deflated_bomb", "metadata that inflate to 4 MiB of zeros")
            .fails { $0.metadata.content = Deflate.stream(zeros(1 << 22)) }.limited,
    ]

    private static var ann65537: SketchItem { VaultSketch("deflated_65537").item("ann").withMetadata(of: 65_537) }
}
