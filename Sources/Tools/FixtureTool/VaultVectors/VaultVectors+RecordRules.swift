// Section 8: what a reader compares in records, and what it does not.

extension VaultVectors {
    static let recordRules: [Vector] =
        flagsOfRecords + replacing + matchFlags + withoutName + withoutKeyEntry + ofOtherDevice + valid + reported
        + attributesAndSecrets + applicationPasswords

    private static let flagsOfRecords: [Vector] = [
        vault("record_put_critical", "a put that is critical").record { vault in
            var record = vault.put(vault.item("kim"))
            record.flags = 1
            return record
        },
        vault("record_delete_critical", "a delete that is critical").record { vault, ann in
            var record = vault.delete(ann)
            record.flags = 1
            return record
        },
        vault("record_unknown_critical_flags", "a flag that is not assigned, of a critical record of unknown kind")
            .unknown { $0.flags = 3 },
        vault("record_unknown_critical_reserved", "a reserved byte of a critical record of unknown kind")
            .unknown { $0.reserved = [0, 1] },
    ]

    // MARK: - Puts of revisions that stay what they were

    /// A second revision of `ann` that a reader refuses; one that took it for damaged would not find `ann`.
    private func replacing(_ edit: @escaping SketchPut.Edit) -> Vector {
        Self.vault(name, "\(comment), in a put that replaces a revision")
            .record { vault, ann in vault.put(ann.revised(), edit) }
    }

    private static let replacing: [Vector] = [
        vault("put_metadata_0_replacing", "no metadata box").replacing { $0.hasMetadata = false },
        vault("put_metadata_odd_replacing", "a metadata box with a byte more than a box has")
            .replacing { $0.metadataBox = { $0.byteCount = $0.fittingByteCount + 1 } },
        vault("put_metadata_too_large_replacing", "a metadata box beyond the limit")
            .replacing { $0.metadataBox = { $0.byteCount = 65_584 } },
        vault("put_secret_odd_replacing", "a secret box with 16 bytes more than a box has")
            .replacing { $0.secretBox = { $0.byteCount = $0.fittingByteCount + 16 } },
        vault("match_class_0_replacing", "item class 0").replacing { $0.match[0] = 0 },
        vault("match_class_5_replacing", "an item class that does not exist").replacing { $0.match[0] = 5 },
        vault("match_reserved_replacing", "a reserved byte of the match entry").replacing { $0.match[7] = 1 },
        vault("put_past_place_0", "a put that is past, with place 0")
            .put { ($0.past, $0.place, $0.previous) = (1, 0, 0) },
    ]

    // MARK: - Match boxes that the metadata does not confirm

    /// A put of an item whose last attribute digest is that of another value.
    private static func digest(_ item: String, _ make: @escaping (VaultSketch) -> SketchItem) -> Vector {
        vault("match_attribute_digest_of_\(item)", "the last attribute digest of another value")
            .record(isDamaged: true) { vault in
                let item = vault.placed(make(vault))
                return vault.put(item) { $0.match.flip(32 + 8 * item.attributeDigests.count) }
            }
    }

    private static let matchFlags: [Vector] = [
        vault("match_flag_1_set", "bit 1 of the flags, in an item without vwht, tkid, musr and ggrp")
            .damaged { $0.match[1] = 2 },
        vault("match_flag_2_set", "bit 2 of the flags, in an item that is no tombstone").damaged { $0.match[1] = 4 },
        vault("match_flag_3_set", "bit 3 of the flags, in an item without access control").damaged { $0.match[1] = 8 },
        digest("inet") { $0.internet }, digest("cert") { $0.certificate }, digest("keys") { $0.privateKey },
    ]

    /// A critical record of unknown kind with something else wrong.
    private func unknown(_ edit: (inout SketchRecord) -> Void) -> Vector {
        var record = SketchRecord.unknown(isCritical: true)
        edit(&record)
        return small("unsupported") { $0.append([record]) }
    }

    // MARK: - Records that cannot be judged

    private static let withoutName: [Vector] = [
        vault("delete_of_group_without_name", "a delete of a group without a name, with a wrong tag").whole { vault in
            var record = vault.delete(vault.item("nobody", key: vault.dataKey(group: "work")))
            record.edit = { $0.flip(50) }
            vault.append([record])
            return vault.append(vault.item("kim"))
        },
        vault("seen_of_group_without_name", "a seen record of an epoch without a name, with a wrong tag")
            .whole { vault in
                var record = vault.seen([SketchWriter(id: vault.writer, place: 9 << 20)], in: vault.group(epoch: 2))
                    .failing
                record.edit = { $0.flip($0.count - 1) }
                vault.append([record])
                return vault.append(vault.item("kim"))
            },
        vault("delete_of_nothing_wrong_tag", "a wrong tag in a delete of an item that is not there")
            .record { vault in vault.delete(vault.item("nobody")).edited { $0.flip(50) } },
    ]

    private static let withoutKeyEntry: [Vector] = [
        vault("handle_unknown_place_greatest", "place 2^63 - 1 in a put whose handle has no key entry is not seen")
            .whole { vault in
                var gone = vault.item("gone", key: vault.dataKey(.ck))
                gone.place = 1 << 63 - 1
                vault.append([vault.put(gone).failing])
                return vault.append(vault.item("kim"))
            },
        vault("handle_unknown_replaces", "a put whose handle has no key entry ends nothing").whole { vault in
            let kim = vault.append(vault.item("kim"))
            var next = kim[0].revised(secret: "new")
            next.key = vault.dataKey(.ck)
            vault.append([vault.put(next).failing])
            return kim
        },
        vault("handle_unknown_previous", "the place of a put whose handle has no key entry, as previous place")
            .record { vault in
                let gone = vault.placed(vault.item("gone", key: vault.dataKey(.ck)))
                vault.append([vault.put(gone).failing])
                return vault.put(vault.placed(vault.item("kim"))) { $0.previous = gone.order }
            },
    ]

    // MARK: - Another device's items

    /// A vault with an item of the device `lap`, which is not here, and a record about it that fails.
    private func foreign(_ make: @escaping (inout VaultSketch, SketchItem) -> SketchRecord) -> Vector {
        record { vault, _ in
            let lap = vault.device("lap")
            vault.add(.dku, device: lap)
            let item = vault.append(vault.item("on lap", key: vault.dataKey(.dku, owner: lap)))[0]
            return make(&vault, item)
        }
    }

    private static let ofOtherDevice: [Vector] = [
        vault("put_of_other_device_hash_differs", "a put of another device's item, with the hash of other boxes")
            .foreign { $0.put($1.revised()) { $0.hash = zeros(32) } },
        vault("put_of_other_device_revision_lower", "a put of another device's item that is less than what it replaces")
            .foreign { vault, item in
                vault.append([vault.put(item.revised())])
                var other = item
                other.salt = [1] + zeros(7)
                return vault.put(other)
            },
        vault("delete_of_other_device_wrong_tag", "a delete of another device's item, with a wrong tag")
            .foreign { vault, item in vault.delete(item).edited { $0.flip(50) } },
        vault("conflict_of_other_device", "an item whose current revision is another device's is absent")
            .whole { vault in
                let lap = vault.device("lap")
                vault.add(.dku, device: lap)
                let kim = vault.append(vault.item("kim"))[0]
                var next = kim.revised()
                next.key = vault.dataKey(.dku, owner: lap)
                vault.append([vault.put(next) { $0.replaced = zeros(8) }])
                return vault.append(vault.item("bob"))
            },
    ]

    // MARK: - What is not compared, and what is

    private static let valid: [Vector] = [
        vault("put_of_other_class", "a revision of another item class than the one it replaces").whole { vault in
            let kim = vault.append(vault.item("kim"))[0]
            var next = vault.internet
            (next.id, next.order, next.revision) = (kim.id, kim.order, 2)
            vault.append([vault.put(next)])
            return [next]
        },
        vault("put_replaces_same_revision", "a put that replaces a revision with its number")
            .whole { vault in
                var item = vault.append(vault.item("ann"))[0]
                item.salt = zeros(7) + [1]
                vault.append([vault.put(item)])
                return [item]
            },
        vault("put_replaces_greatest_revision", "a put that replaces revision 2^63 - 1, with the same number")
            .whole { vault in
                var item = vault.placed(vault.item("ann"))
                item.revision = 1 << 63 - 1
                vault.append([vault.put(item)])
                item.salt = [1] + zeros(7)
                vault.append([vault.put(item)])
                return [item]
            },
        vault("match_flags_of_replacing_put", "a put with an unassigned flag in its match box, which names a revision")
            .record { vault, ann in vault.put(ann.revised()) { $0.match[1] |= 0x80 } },
        vault("real_of_2_53", "the greatest integral reals that are integers, and a greater one, which is not")
            .whole { vault in
                let ports: [Double] = [9_007_199_254_740_992, -9_007_199_254_740_992, 1e16]
                return ports.enumerated().flatMap { number, port in
                    vault.append(vault.item("\(number)", .inet, ["acct": .string("a"), "port": .scalar(.real(port))]))
                }
            },
        vault("real_above_2_53", "the first integral real that is no integer, with the digests of one")
            .record(isDamaged: true) { vault in
                func item(_ port: AppleValue) -> SketchItem {
                    vault.placed(vault.item("kim", .inet, ["acct": .string("a"), "port": port]))
                }
                let metadata = item(.scalar(.real(9_007_199_254_740_994))).metadata
                return vault.put(item(.int(9_007_199_254_740_994))) { $0.metadata = metadata }
            },
    ]

    // MARK: - Bad revisions that are not current

    private static let reported: [Vector] = [
        vault("metadata_of_past_put", "metadata that does not parse, in a put that is past").damagedPast { vault, kim in
            var past = kim.revised()
            past.writer = vault.otherWriter
            past.place = 9 << 20
            vault.append([vault.put(past) { ($0.past, $0.metadata) = (1, []) }])
            return kim
        },
        vault("metadata_of_ended_put", "metadata that does not parse, in a revision that was replaced")
            .damagedPast { vault, kim in
                let bad = kim.revised()
                vault.append([vault.put(bad) { $0.metadata = [] }])
                let good = bad.revised(secret: "new")
                vault.append([vault.put(good)])
                return good
            },
        vault("secret_of_deleted_item", "a secret that does not open, in a revision that was deleted")
            .damagedPast { vault, kim in
                let bad = vault.placed(vault.item("gone"))
                vault.append([vault.put(bad) { $0.secretBox = SketchItemBox.otherKey }])
                vault.append([vault.delete(bad)])
                return kim
            },
        beforeDamagedTail,
    ]

    private static var beforeDamagedTail: Vector {
        let name = "tail_after_failed_record"
        var vault = VaultSketch(name)
        let kim = vault.append(vault.item("kim"))
        vault.append([vault.put(vault.item("bob")) { $0.reserved = [1, 0, 0] }.failing])
        vault.append([.unknown()])
        var file = vault.build()
        file.bytes.flip(file.frames[2].lowerBound + 200)
        return Self.vault(name)
            .comment("a record that fails before a frame that does not verify: the verdict is that on the tail")
            .vector(
                "damaged tail",
                file.bytes,
                readable: kim,
                [("records failed", "1"), ("tail", "\(file.frames[2].count)")]
            )
    }

    /// The item `kim`, which a bad revision does not affect: `edit` makes that, and returns what is current.
    private func damagedPast(_ edit: (inout VaultSketch, SketchItem) -> SketchItem) -> Vector {
        whole(failures: 1) { vault in
            let kim = vault.append(vault.item("kim"))[0]
            let current = edit(&vault, kim)
            return [current]
        }
    }

    // MARK: - Attributes and secrets

    private static func flagged(_ flags: Int64, enrolledByteCount: Int? = nil) -> [String: AppleValue] {
        var fields: [(AppleValue, AppleValue)] = [(.string("flags"), .int(flags))]
        if let enrolledByteCount {
            fields.append((.string("enrolled"), .scalar(.data([UInt8](repeating: 7, count: enrolledByteCount)))))
        }
        return ["accc": .dictionary(fields)]
    }

    private static let attributesAndSecrets: [Vector] = [
        vault("access_control_negative", "flags below 0").attribute(flagged(-1)),
        vault("access_control_2_32", "flags of 2^32").attribute(flagged(1 << 32)),
        vault("access_control_greatest", "flags of 2^32 - 1").whole { vault in
            var item = vault.behindPassword
            item.attributes.merge(flagged(1 << 32 - 1, enrolledByteCount: 32)) { $1 }
            return vault.append(item)
        },
        vault("access_control_hash_missing", "the flag of enrolled biometry without its hash")
            .attribute(flagged(1 << 3)),
        vault("access_control_hash_alone", "the hash without the flag").attribute(flagged(1, enrolledByteCount: 32)),
        vault("access_control_hash_of_31", "a hash of 31 bytes").attribute(flagged(1 << 3, enrolledByteCount: 31)),
        vault("access_control_hash_of_text", "a hash that is a string")
            .attribute(["accc": .dictionary([(.string("flags"), .int(1 << 3)), (.string("enrolled"), .string("0"))])]),
        vault("access_control_hash", "the flag of enrolled biometry with its hash").whole { vault in
            var item = vault.item("kim")
            item.attributes.merge(flagged(1 << 3, enrolledByteCount: 32)) { $1 }
            return vault.append(item)
        },
        vault("access_control_password_alone", "the flag of a password, and data without one")
            .attribute(flagged(1 << 31)),
        vault("access_control_password_without_data", "the flag of a password, and no data").whole { vault in
            var item = vault.item("kim", secret: nil)
            item.attributes.merge(flagged(1 << 31)) { $1 }
            return vault.append(item)
        },
        vault("secret_application_password_alone", "data with a password, without the flag")
            .record(isDamaged: true) { vault in
                var item = vault.behindPassword
                item.attributes["accc"] = nil
                return vault.put(vault.placed(item))
            },
        vault("attribute_number_2_63", "a number of 2^63").attribute(["crtr": .scalar(.wide(1 << 63))]),
        vault("secret_several_greatest", "the greatest data with further binary values").whole { vault in
            let parts = ["v_Data": [UInt8](repeating: 7, count: 1_048_576), "bin3": [3]]
            return vault.append(vault.item("bin", .genp, [:], secret: .several(parts)))
        },
    ]
}
