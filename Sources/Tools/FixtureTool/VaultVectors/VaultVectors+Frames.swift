// Sections 6.1 and 6.2: frames with a genuine head that do not verify.

extension VaultVectors {
    static let frames: [Vector] = (heads + cutHeads + texts + strangers).flatMap { $0 }

    /// A wrong third frame, made by a holder of Ks.
    private func frame(expect verdict: String = "damaged tail", _ edit: (inout SketchFrame) -> Void) -> [Vector] {
        tail(verdict, vault: { edit(&$0.frames[2]) }) { $0.bytes }
    }

    private static let heads: [[Vector]] = [
        vault("frame_length_maximal", "a body of 2^32 - 1 bytes: the head is not plausible, so its length is ignored")
            .frame { $0.bodyLength = { _ in 0xFFFF_FFFF } },
        vault("frame_length_beyond_limit", "a body one step longer than the maximum")
            .frame { $0.bodyLength = { _ in UInt32(pad(pad(128 + 16_777_216) + 1) - 96) } },
        vault("frame_length_greatest", "a body of the maximum length, most of which is missing")
            .frame(expect: "torn tail") { $0.bodyLength = { _ in UInt32(pad(128 + 16_777_216) - 96) } },
        vault("frame_magic", "another magic, under a MAC that fits").frame { $0.magic = "COFY" },
        vault("frame_length_0", "a body of no bytes").frame { $0.bodyLength = { _ in 0 } },
        vault("frame_length_864", "the body of a frame of 960 bytes, in the head of a longer one")
            .frame { $0.bodyLength = { _ in 864 } },
        vault("frame_of_960", "a frame of 960 bytes, in which everything else fits")
            .frame(expect: "torn tail") { frame in
                frame.records = [.unknown()]
                frame.byteCount = { _ in 960 }
            },
        vault("frame_of_1024_in_1088", "a frame of 1,088 bytes, for records that fit in 1,024").frame { frame in
            frame.records = [SketchRecord(kind: 99, body: zeros(888))]
            frame.byteCount = { $0 + 64 }
        },
        vault("frame_length_not_padded", "a frame whose size is not a pad(n)").frame { $0.byteCount = { $0 + 64 } },
        vault("frame_length_odd", "a frame whose size is not a multiple of 64")
            .frame { $0.bodyLength = { UInt32($0 - 1) } },
        vault("frame_chain_differs", "another chain value in the head, under a MAC that fits")
            .frame { $0.chain = zeros(32) },
        vault("frame_synced_not_less", "a frame that was durable before it was written").frame { $0.synced = 3 },
        vault("frame_synced_maximal", "durable up to 2^64 - 1").frame { $0.synced = .max },
        vault("frame_sequence_gap_unsynced", "a later frame, written when frame 2 was durable").frame {
            $0.sequence = 4
            $0.synced = 2
        },
        vault("frame_sequence_gap", "a later frame, written when frame 3 was durable")
            .frame(expect: "inconsistent") { $0.sequence = 4 },
        vault("frame_sequence_repeated", "a frame with the number of the one before")
            .frame(expect: "inconsistent") { $0.sequence = 2 },
        vault("frame_sequence_maximal", "frame 2^64 - 1").frame(expect: "inconsistent") { $0.sequence = .max },
    ]

    /// The first 1,000 bytes of a wrong third frame, which has room in the reserve.
    ///
    /// Its head is not plausible, so it does not say how far the frame would go into the reserve.
    private func cut(_ edit: (inout SketchFrame) -> Void) -> [Vector] {
        tail("torn tail", withReserve: "damaged tail", vault: { edit(&$0.frames[2]) }) { file in
            file.before(2) + file.frame(2).prefix(1000)
        }
    }

    private static let cutHeads: [[Vector]] = [
        vault("frame_cut_length_not_padded", "the first 1,000 bytes of a frame whose size is not a pad(n)")
            .cut { $0.byteCount = { $0 + 64 } },
        vault("frame_cut_sequence_2_43", "the first 1,000 bytes of the frame 2^43, written when frame 2 was durable")
            .cut { ($0.sequence, $0.synced) = (1 << 43, 2) },
    ]

    private static let texts: [[Vector]] = [
        vault("frame_padded_too_far", "a frame of the next larger size").frame { $0.byteCount = { pad($0 + 1) } },
        vault("frame_padding_not_zero", "padding that is not zero").frame { $0.lastPadding = 1 },
        vault("frame_record_count_too_large", "one record where the count says two").frame { $0.recordCount = 2 },
        vault("frame_record_count_and_critical", "a critical record of unknown kind where the count says two").frame {
            $0.records = [.unknown(isCritical: true)]
            $0.recordCount = 2
        },
        vault("frame_record_count_maximal", "one record where the count says 2^32 - 1")
            .frame { $0.recordCount = 0xFFFF_FFFF },
        vault("frame_record_count_0", "one record where the count says none").frame { $0.recordCount = 0 },
        vault("frame_records_size_maximal", "2^32 - 1 bytes of records")
            .frame { $0.recordsByteCount = { _ in 0xFFFF_FFFF } },
        vault("frame_records_size_too_large", "records that take 8 bytes of the padding")
            .frame { $0.recordsByteCount = { UInt32($0 + 8) } },
        vault("frame_records_size_too_small", "records that are one byte longer than stated")
            .frame { $0.recordsByteCount = { UInt32($0 - 1) } },
        vault("frame_record_length_maximal", "a record of 2^32 - 1 bytes")
            .frame { $0.records[0].length = { _ in 0xFFFF_FFFF } },
        vault("frame_record_length_too_short", "bytes between two records")
            .frame { $0.records[0].length = { UInt32($0 - 1) } },
        vault("frame_record_cut", "seven bytes after the last record, too few for another")
            .frame { $0.records[0].length = { UInt32($0 - 7) } },
    ]

    /// A third frame that was made for a different place.
    private func stranger(_ make: (VaultSketch) -> [UInt8]) -> [Vector] {
        var stranger: [UInt8] = []
        return tail("damaged tail", vault: { stranger = make($0) }) { file in file.before(2) + stranger }
    }

    private static let strangers: [[Vector]] = [
        vault("frame_of_other_generation", "the third frame of another generation of this vault")
            .stranger { vault in
                var vault = vault
                vault.generation = 2
                let file = vault.build()
                return file.frame(2)
            },
        vault("frame_of_other_vault", "the third frame of another vault").stranger { _ in
            var vault = VaultSketch("another vault")
            for name in ["ann", "bob", "kim"] { vault.append(vault.item(name)) }
            let file = vault.build()
            return file.frame(2)
        },
        vault("frame_of_other_history", "the third frame after a different second frame").stranger { vault in
            var vault = vault
            vault.frames[1] = SketchFrame([vault.put(vault.item("eve"))])
            let file = vault.build()
            return file.frame(2)
        },
        vault("frame_body_of_other", "a genuine head with the body of another frame of the same size")
            .stranger { vault in
                let file = vault.build()
                var vault = vault
                vault.frames[2] = SketchFrame([vault.put(longItem(in: vault, "eve"))])
                let other = vault.build()
                return Array(file.frame(2).prefix(96) + other.frame(2).dropFirst(96))
            },
    ]
}

// Section 7: an earlier frame was changed, removed, duplicated or moved.

extension VaultVectors {
    /// A vault of four frames; `make` changes the second, which the fourth says was durable.
    private func inconsistent(
        readable count: Int = 1,
        vault edit: (inout VaultSketch) -> Void = { _ in },
        _ make: (VaultFile) -> [UInt8]
    ) -> Vector {
        var vault = VaultSketch(name)
        let items = ["ann", "bob", "kim", "liz"].flatMap { vault.append(vault.item($0)) }
        edit(&vault)
        return vector("inconsistent", make(vault.build()), readable: Array(items.prefix(count)))
    }

    private static func inserting(_ file: VaultFile, _ numbers: Int...) -> [UInt8] {
        file.before(0) + numbers.flatMap { file.frame($0) }
    }

    static let log: [Vector] = [
        vault("log_middle_bitflip_body", "a changed bit in the body of the second of four frames")
            .inconsistent { file in
                var bytes = file.bytes
                bytes.flip(file.frames[1].lowerBound + 100)
                return bytes
            },
        vault("log_middle_bitflip_head", "a changed bit in the head of the second of four frames")
            .inconsistent { file in
                var bytes = file.bytes
                bytes.flip(file.frames[1].lowerBound + 10)
                return bytes
            },
        vault("log_middle_zeroed", "the second of four frames is zero").inconsistent { $0.erasing(in: 1) { $0 } },
        vault("log_frame_removed", "the second of four frames is missing").inconsistent { inserting($0, 0, 2, 3) },
        vault("log_first_frame_removed", "the first of four frames is missing")
            .inconsistent(readable: 0) { inserting($0, 1, 2, 3) },
        vault("log_frames_swapped", "the second and third of four frames").inconsistent { inserting($0, 0, 2, 1, 3) },
        vault("log_frame_doubled", "the second frame twice").inconsistent(readable: 2) { inserting($0, 0, 1, 1, 2, 3) },
        vault("log_last_frame_doubled", "the last frame twice")
            .inconsistent(readable: 4) { inserting($0, 0, 1, 2, 3, 3) },
        vault("log_frame_from_other_vault", "the second frame is another vault's").inconsistent { file in
            var other = VaultSketch("another vault")
            for name in ["ann", "bob"] { other.append(other.item(name)) }
            let otherFile = other.build()
            return file.before(1) + otherFile.frame(1)
                + file.from(2)
        },
        vault("log_body_of_other_frame", "the second head with the body of the third").inconsistent { file in
            Array(file.bytes[..<(file.frames[1].lowerBound + 96)]) + file.frame(2)[96...] + file.from(2)
        },
        vault("log_padding_not_zero", "a holder of Ks made the second frame wrong")
            .inconsistent(vault: { $0.frames[1].lastPadding = 1 }) { $0.bytes },
        vault("log_chain_differs", "a holder of Ks wrote another chain value into the head of the second frame")
            .inconsistent(vault: { $0.frames[1].chain = zeros(32) }) { $0.bytes },
        vault("log_frame_inserted", "64 bytes of anything between two frames").inconsistent { file in
            file.before(1) + [UInt8](repeating: 7, count: 64)
                + file.from(1)
        },
        vault("log_sequence_gap", "the second frame has number 3")
            .inconsistent(vault: { $0.frames[1].sequence = 3 }) { $0.bytes },
        vault("log_synced_later", "a frame after a damaged one; it says that frame 2 was durable, not frame 3")
            .inconsistent(vault: { $0.frames[3].synced = 2 }) { file in
                var bytes = file.erasing(in: 2) { $0 }
                bytes.flip(file.frames[1].lowerBound + 100)
                return bytes
            },
    ]
}
