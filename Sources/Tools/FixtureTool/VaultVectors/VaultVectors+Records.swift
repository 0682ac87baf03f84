// Section 8: one record is invalid, and the others remain valid.

extension VaultVectors {
    static let records: [Vector] = putFields + putContents + deletes + keyRecords

    /// A vault with the item `ann`, a record that fails, and the item `bob`.
    ///
    /// The record changes nothing, unless it puts an item that is then damaged: `isDamaged`.
    func record(isDamaged: Bool = false, readsAnn: Bool = true, _ make: (inout VaultSketch, SketchItem) -> SketchRecord)
        -> Vector
    {
        whole(failures: 1) { vault in
            let ann = vault.append(vault.item("ann"))[0]
            let record = make(&vault, ann)
            vault.append([isDamaged ? record : record.failing])
            let bob = vault.append(vault.item("bob"))
            let readable = (readsAnn ? [ann] : []) + bob
            return readable
        }
    }

    /// The same with a record that does not refer to `ann`.
    func record(isDamaged: Bool = false, _ make: (inout VaultSketch) -> SketchRecord) -> Vector {
        record(isDamaged: isDamaged) { vault, _ in make(&vault) }
    }

    /// The same with a record that puts the item `kim`.
    func put(isDamaged: Bool = false, _ edit: @escaping SketchPut.Edit) -> Vector {
        record(isDamaged: isDamaged) { vault, _ in vault.put(vault.placed(vault.item("kim")), edit) }
    }

    /// A put of `kim` whose match box verifies, and whose metadata or secret is wrong (VF-59).
    func damaged(_ edit: @escaping SketchPut.Edit) -> Vector {
        put(isDamaged: true, edit)
    }

    /// A put of which `byteCount` bytes of the secret box are counted to the metadata box.
    private func split(at byteCount: UInt32) -> Vector {
        put { put in
            let secret = [UInt8](repeating: 0, count: 20)
            put.secret = secret
            put.lengths[2] = UInt32((put.metadata.count + 40) / 16 * 16) + byteCount
            put.lengths[3] = UInt32((secret.count + 56) / 32 * 32) - byteCount
        }
    }

    private static let putFields: [Vector] = [
        vault("record_reserved", "a reserved byte of a record header").record { vault in
            var record = vault.put(vault.item("kim"))
            record.reserved = [0, 1]
            return record
        },
        vault("record_flags", "a flag of a record that is not assigned").record { vault in
            var record = vault.put(vault.item("kim"))
            record.flags = 2
            return record
        },
        vault("put_too_short", "a put of 87 bytes")
            .record { vault in vault.put(vault.item("kim")).edited { $0.removeSubrange(87...) } },
        vault("put_reserved", "a reserved byte of a put").put { $0.reserved = [0, 0, 1] },
        vault("put_revision_0", "revisions begin with 1").put { $0.revision = 0 },
        vault("put_revision_2_63", "revisions are less than 2^63").put { $0.revision = 1 << 63 },
        vault("put_split_moved", "32 bytes of the secret box counted to the metadata box").split(at: 32),
        vault("put_split_at_16", "16 bytes of the secret box counted to the metadata box").split(at: 16),
        vault("put_split_odd", "a byte of the secret box counted to the metadata box").split(at: 1),
        vault("put_secret_too_large", "a secret box beyond the limit")
            .put { $0.secretBox = { $0.byteCount = 1_052_736 } },
        vault("put_trailing_bytes", "bytes after the boxes").put { $0.end = zeros(64) },
        vault("put_match_maximal", "a match box of 2^32 - 1 bytes").put { $0.lengths[1] = 0xFFFF_FFFF },
        vault("put_metadata_maximal", "a metadata box of 2^32 - 1 bytes").put { $0.lengths[2] = 0xFFFF_FFFF },
        vault("put_secret_maximal", "a secret box of 2^32 - 1 bytes").put { $0.lengths[3] = 0xFFFF_FFFF },
        vault("put_lengths_shifted", "two boxes whose boundary is 32 bytes too late").put { put in
            put.lengths[1] = 208
            put.lengths[3] = 0
        },
        vault("put_match_of_192", "a match box of a different size").put { $0.matchBox = { $0.byteCount = 192 } },
        vault("put_metadata_too_large", "a metadata box beyond the limit")
            .put { $0.metadataBox = { $0.byteCount = 65_584 } },
        vault("put_metadata_16", "a metadata box of 16 bytes").put { put in
            (put.hasMetadata, put.secret, put.lengths[2], put.end) = (false, nil, 16, zeros(16))
        },
        vault("put_metadata_odd", "a metadata box with a byte more than a box has")
            .put { $0.metadataBox = { $0.byteCount = $0.fittingByteCount + 1 } },
        // Item boxes that are wrong inside, section 1.3.
        vault("put_match_mark", "another byte than 80 after the content of the match box")
            .put { $0.matchBox = SketchItemBox.unmarked },
        vault("put_match_padding", "a match box whose zeros are not zero")
            .put { $0.matchBox = SketchItemBox.paddingNotZero },
        vault("put_match_zeros", "a match box of zeros alone").put { $0.matchBox = SketchItemBox.allZeros },
        vault("put_metadata_mark", "another byte than 80 after the content of the metadata box")
            .damaged { $0.metadataBox = SketchItemBox.unmarked },
        vault("put_metadata_padded_too_far", "a metadata box of 16 bytes more than its content takes")
            .damaged { $0.metadataBox = SketchItemBox.oneUnitTooLong },
        vault("put_metadata_padding", "a metadata box whose last byte is not zero").damaged { put in
            put.metadata += zeros((put.metadata.count + 9) % 16 == 0 ? 1 : 0)
            put.metadataBox = SketchItemBox.paddingNotZero
        },
        vault("put_secret_mark", "another byte than 80 after the content of the secret box")
            .damaged { $0.secretBox = SketchItemBox.unmarked },
        vault("put_secret_zeros", "a secret box of zeros alone").damaged { $0.secretBox = SketchItemBox.allZeros },
        vault("put_secret_padded_too_far", "a secret box of 32 bytes more than its content takes")
            .damaged { $0.secretBox = SketchItemBox.oneUnitTooLong },
        vault("put_secret_padding", "a secret box whose zeros are not zero").damaged { put in
            put.secret = [0, 1]
            put.secretBox = SketchItemBox.paddingNotZero
        },
        vault("put_secret_nonce_salt", "a secret box whose nonce has another revision salt")
            .damaged { $0.secretBox = { $0.nonceEnd.flip(0) } },
        vault("put_secret_nonce_revision", "a secret box whose nonce has another revision")
            .damaged { $0.secretBox = { $0.nonceEnd.flip(8) } },
        vault("put_metadata_deflated", "deflated metadata, which only leaves may have").record(isDamaged: true) {
            vault in
            let item = vault.placed(vault.item("kim"))
            let data = vault.associatedData(itemID: item.id, revision: 1, salt: vault.salt(of: item), part: 4)
            return vault.put(item) { put in
                put.metadata = Deflate.stream(put.metadata)
                put.metadataBox = { $0.associatedData = data + zeros(8) }
            }
        },
        vault("put_revision_same", "a put of the current revision, with another secret").record { vault, ann in
            var item = ann
            item.secret = .data([1])
            return vault.put(item)
        },
        vault("put_other_handle", "the boxes are sealed for another data key than the handle names")
            .damaged { $0.key.key = zeros(32) },
        // A put of an earlier revision that names a later one: the later one remains.
        vault("put_revision_lowered", "a put that replaces a later revision").whole(failures: 1) { vault in
            let old = vault.placed(vault.item("kim"))
            var new = old
            new.revision = 3
            vault.append([vault.put(new)])
            vault.append([vault.put(old)])
            return [new]
        },
        // A handle of CK before boxes of AK.
        vault("put_class_swapped", "an item of AK under the handle of CK, changed without the match key")
            .record { vault in
                vault.add(.ck)
                let handle = vault.dataKey(.ck).handle
                return vault.put(vault.item("kim")) { $0.handle = handle }
            },
    ]

    private static let putContents: [Vector] = [
        vault("match_reserved", "a reserved byte of the match entry").put { $0.match[2] = 1 },
        vault("match_flags", "a flag of the match entry that is not assigned").put { $0.match[1] |= 0x80 },
        vault("match_flag_contested", "the flag of contested items, which only entries of sections have")
            .put { $0.match[1] |= 16 },
        vault("match_too_short", "135 bytes of a match entry").put { $0.match.removeLast() },
        vault("match_too_long", "137 bytes of a match entry").put { $0.matchEnd = [0] },
        vault("match_hash_differs", "the hash of other boxes").put { $0.hash = zeros(32) },
        vault("match_secret_taken_away", "a put whose secret was removed by someone who cannot open the match box")
            .record { vault in
                var record = vault.put(vault.item("kim"))
                record.edit = {
                    $0.put(u32(0), at: 80)
                    $0.removeLast(32)
                }
                return record
            },
        vault("match_secret_exchanged", "a put with another secret that was sealed for the same revision")
            .record { vault in
                let other = vault.put(vault.item("kim", secret: "simsim")).body
                return vault.put(vault.item("kim")).edited { $0.replaceEnd(with: other.suffix(32)) }
            },
        vault("match_attribute_digest_differs", "the attribute digest of another value").damaged { $0.match.flip(40) },
        vault("match_flag_set", "a flag that the attributes do not give").damaged { $0.match[1] = 1 },
        vault("match_unused_digest", "a digest after those of the class").put { $0.match[103] = 1 },
        vault("match_class_5", "an item class that does not exist").put { $0.match[0] = 5 },
        vault("match_class_differs", "the match entry of an internet password, the metadata of a generic one")
            .damaged { $0.match[0] = 2 },
        vault("match_digest_differs", "the digest of another primary key").damaged { $0.match.flip(24) },
        vault("match_of_other_item", "the match box of another item").record { vault, ann in
            let other = vault.put(ann).body
            return vault.put(vault.item("kim")).edited { $0.put(Array(other[88..<264]), at: 88) }
        },
        vault("secret_of_other_item", "a secret box that was sealed for another item; the hash is that of the boxes")
            .record(isDamaged: true) { vault, ann in
                let data = vault.associatedData(itemID: ann.id, revision: 1, salt: vault.salt(of: ann), part: 3)
                return vault.put(vault.item("kim")) { put in put.secretBox = { $0.associatedData = data } }
            },
        vault(
            "secret_of_other_revision",
            "a secret box that was sealed for the revision before: the item is damaged, and not what it was before"
        )
        .record(isDamaged: true, readsAnn: false) { vault, ann in
            let data = vault.associatedData(itemID: ann.id, revision: 1, salt: vault.salt(of: ann), part: 3)
            return vault.put(ann.revised()) { put in put.secretBox = { $0.associatedData = data } }
        },
        vault("secret_of_renamed_item", "a put with another account, and a secret box that does not open")
            .record(isDamaged: true, readsAnn: false) { vault, ann in
                vault.put(ann.revised(["acct": .string("eve")])) { put in put.secretBox = SketchItemBox.otherKey }
            },
        vault("metadata_of_revised_item")
            .comment("a revision whose metadata does not parse: the item is damaged, and not what it was before")
            .record(isDamaged: true, readsAnn: false) { vault, ann in vault.put(ann.revised()) { $0.metadata = [] } },
        vault("metadata_as_secret", "a metadata box that was sealed as a secret box")
            .record(isDamaged: true) { vault in
                let item = vault.placed(vault.item("kim"))
                let data = vault.associatedData(itemID: item.id, revision: 1, salt: vault.salt(of: item), part: 3)
                return vault.put(item) { put in put.metadataBox = { $0.associatedData = data } }
            },
        vault("secret_form_3", "another form of a secret").damaged { $0.secret = [3, 1, 2] },
        vault("secret_without_form", "a secret of no bytes, not even a form").damaged { $0.secret = [] },
        vault("secret_archive_not_canonical", "two binary values in the wrong order").damaged { put in
            let parts: [(AppleValue, AppleValue)] = [
                (.string("v_Data"), .scalar(.data([1]))), (.string("binn"), .scalar(.data([2]))),
            ]
            put.secret = [1] + AppleArchiver.archive(.dictionary(parts)).propertyList
        },
        vault("secret_archive_of_text", "a binary value that is not data")
            .damaged { $0.secret = [1] + canonicalArchive(["v_Data": .string("text")]) },
        vault("secret_archive_unknown_name", "a binary value of unknown name")
            .damaged { $0.secret = [1] + canonicalArchive(["bin4": .scalar(.data([1]))]) },
        vault("secret_application_password_cut", "form 2 without a tag").damaged { $0.secret = [2] + zeros(90) },
    ]

    private static let deletes: [Vector] = [
        vault("delete_wrong_tag", "a delete with a wrong tag")
            .record { vault, ann in vault.delete(ann).edited { $0.flip(50) } },
        vault("delete_reserved", "a reserved byte of a delete, covered by a valid tag")
            .record { vault, ann in vault.delete(ann) { $0[44] = 1 } },
        vault("delete_too_long", "a delete of 81 bytes")
            .record { vault, ann in vault.delete(ann).edited { $0.append(0) } },
        // A put after a delete of the same item, whose secret does not open: the item is there, and damaged.
        vault("secret_of_item_brought_back")
            .comment("a put after a delete of the same item, with a secret box that does not open")
            .whole(failures: 1) { vault in
                let ann = vault.append(vault.item("ann"))[0]
                vault.append([vault.delete(ann)])
                vault.append([vault.put(ann.revised().revised()) { $0.secretBox = SketchItemBox.otherKey }])
                let readable = vault.append(vault.item("bob"))
                return readable
            },
    ]

    private static let keyRecords: [Vector] = [
        // A data key that does not open, and an item that uses it.
        vault("key_record_that_does_not_open_used", "an item whose data key is in a record that failed is absent")
            .whole(failures: 1) { vault in
                let readable = vault.append(vault.item("ann"))
                var other = vault.dataKey()
                other.handle = vault.randomness.bytes(8, "another handle")
                var entry = vault.dataKeyEntry(other)
                entry.body.flip(120)
                vault.append([.key(entry)])
                vault.append(vault.item("kim", key: other))
                return readable
            },
        // A data key that is allowed only with a passphrase, in the log.
        vault("key_record_class_12", "a key of class 12 in a vault that no passphrase opens")
            .whole(unlock: [.keyFile, .device("desk")], failures: 1, passphrase: nil) { vault in
                let desk = vault.device("desk")
                vault.keybag.entries.insert(vault.slot(.keyFile(vault.keyFile)), at: 0)
                vault.add(desk)
                let readable = vault.append(vault.item("ann"))
                vault.append([.key(vault.dataKeyEntry(vault.dataKey(.akpu, owner: desk)))])
                return readable
            },
        vault("key_record_of_slot", "a slot in a key record")
            .record { vault in .key(vault.slot(.passphrase("another"), "another")) },
        vault("key_record_of_unknown", "a key entry of unknown type").record { _ in .key(.unknown()) },
        vault("key_record_doubled", "a data key whose handle exists already")
            .record { vault in .key(vault.dataKeyEntry(vault.dataKey()) { $0.key = zeros(32) }) },
        vault("key_record_that_does_not_open", "a data key whose wrap does not open").record { vault in
            var entry = vault.dataKeyEntry(vault.dataKey(.ak, owner: nil)) { wrap in
                wrap.fields.put(vault.randomness.bytes(8, "another handle"), at: 0)
            }
            entry.body.flip(120)
            return .key(entry)
        },
        vault("key_record_maximal", "an entry of 2^32 - 1 bytes").record { vault in
            var entry = vault.dataKeyEntry(vault.dataKey(.ck))
            entry.length = 0xFFFF_FFFF
            return .key(entry)
        },
        vault("key_record_reserved", "a reserved byte of a data key")
            .record { vault in .key(vault.dataKeyEntry(vault.dataKey(.ck)) { $0.fields[22] = 1 }) },
        vault("key_record_trailing", "a byte after the entry")
            .record { vault in SketchRecord.key(vault.dataKeyEntry(vault.dataKey(.ck))).edited { $0.append(0) } },
        vault("key_record_of_team", "a team key in a key record").record { vault in .key(vault.teamKeyEntry()) },
        vault("key_record_before_group_name", "a data key before the name of its group, which is valid")
            .record { vault in
                vault.append([.key(vault.dataKeyEntry(vault.dataKey(group: "work")))])
                return .key(vault.groupNameEntry(vault.group("work")))
            },
        vault("key_record_always_key_differs", "an always key that is not the key of DK")
            .record { vault in .key(vault.alwaysKeyEntry(vault.device("desk")) { $0.key = zeros(32) }) },
        vault("key_record_always_key_twice", "a second always key of a device").record { vault in
            let desk = vault.addDevice("desk")
            return .key(vault.alwaysKeyEntry(desk))
        },
        vault("key_record_always_key_of_other_epoch", "an always key of an epoch that is not the current one")
            .record { vault in
                var later = vault
                later.epoch = 2
                return .key(later.alwaysKeyEntry(vault.device("desk")))
            },
        vault("key_record_match_key_differs", "a match key that does not follow from UR")
            .record { vault in .key(vault.matchKeyEntry(vault.group(), vault.device("desk")) { $0.key = zeros(32) }) },
        vault("record_unknown_critical", "a record of unknown kind that is critical")
            .small("unsupported") { $0.append([.unknown(isCritical: true)]) },
    ]
}
