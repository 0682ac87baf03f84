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
