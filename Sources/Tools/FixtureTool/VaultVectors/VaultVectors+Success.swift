// Vaults that open without errors.

extension VaultVectors {
    static let success: [Vector] = kinds + histories + deletesOfNothing + carried

    private static let kinds: [Vector] = [
        vault("empty_vault", "no items").whole { _ in [] },
        vault("one_generic", "one generic password").whole { $0.append($0.item("kim")) },
        vault("one_internet", "one internet password").whole { $0.append($0.internet) },
        vault("one_certificate", "one certificate").whole { $0.append($0.certificate) },
        vault("one_key", "one private key").whole { $0.append($0.privateKey) },
        vault("all_kinds", "an item of each kind, in one transaction")
            .whole { $0.append($0.item("kim"), $0.internet, $0.certificate, $0.privateKey) },
        vault("numbers_in_all_forms", "443 as integer, real and text; 1.5; other texts, one of them empty")
            .whole { vault in
                let ports: [AppleValue] = [
                    .int(443), .scalar(.real(443)), .string("443"), .scalar(.real(1.5)), .string("https"),
                    .string("+443"),
                    .int(-1), .int(4_294_967_296), .string(""),
                ]
                return ports.enumerated().flatMap { number, port in
                    vault.append(
                        vault.item(
                            "\(number)",
                            .inet,
                            ["acct": .string("\(number)"), "port": port, "srvr": .string("a")]
                        )
                    )
                }
            },
        vault("texts_in_all_forms", "an account as text, data and integer").whole { vault in
            let accounts: [AppleValue] = [
                .string("kim"), .scalar(.data([1, 2])), .int(-2), .string(""), .string("é🔑"),
            ]
            return accounts.enumerated().flatMap { number, account in
                vault.append(vault.item("\(number)", .genp, ["acct": account, "svce": .int(Int64(number))]))
            }
        },
        vault("no_attributes", "an item without attributes").whole { $0.append($0.item("x", .genp, [:])) },
        vault("access_control", "an item with access conditions, and one without").whole { vault in
            func item(_ name: String, flags: Int64) -> SketchItem {
                vault.item(
                    name,
                    .genp,
                    ["acct": .string(name), "accc": .dictionary([(.string("flags"), .int(flags))])]
                )
            }
            return vault.append(item("with", flags: 1), item("without", flags: 0))
        },
        vault("flags", "a synchronizable item, one of a view, and a tombstone").whole { vault in
            let extra: [(String, AppleValue)] = [("sync", .int(1)), ("vwht", .string("Wallet")), ("tomb", .int(1))]
            return extra.flatMap { name, value in
                vault.append(vault.item(name, .genp, ["acct": .string(name), name: value]))
            }
        },
        vault("secret_empty", "missing data is not empty data")
            .whole { $0.append($0.item("empty", secret: ""), $0.item("none", secret: nil)) },
        vault("secret_nul", "a secret with zero bytes at its end")
            .whole { $0.append($0.item("nul", .genp, ["acct": .string("nul")], secret: .data([0x61, 0, 0]))) },
        vault("secret_several", "further binary values in addition to the data").whole {
            $0.append($0.item("bin", .genp, [:], secret: .several(["v_Data": [1, 2], "binn": [3], "bin3": []])))
        },
        vault("secret_several_without_data", "further binary values and no data")
            .whole { $0.append($0.item("bin", .genp, [:], secret: .several(["bini": [3]]))) },
        vault("secret_application_password", "data protected by an application password cannot be read without it")
            .whole { $0.append($0.behindPassword) },
    ]

    private static let histories: [Vector] = [
        vault("log_of_20", "20 transactions")
            .whole { vault in (1...20).flatMap { vault.append(vault.item("number \($0)")) } },
        vault("batch_of_20", "20 items in one transaction").whole { vault in
            let items = (0..<20).map { vault.placed(vault.item("number \($0)"), number: UInt64($0)) }
            vault.append(items.map { vault.put($0) })
            return items
        },
        vault("update_chain", "five revisions of an item with the same order; revisions need not be consecutive")
            .whole { vault in
                var item = vault.append(vault.item("kim"))[0]
                for number in 1...4 {
                    item = item.revised(secret: "number \(number)")
                    if number == 3 { item.revision += 10 }
                    vault.append([vault.put(item)])
                }
                return [item]
            },
        vault("rename", "a revision with another primary key").whole { vault in
            let item = vault.append(vault.item("kim"))[0].revised(["acct": .string("lea")])
            vault.append([vault.put(item)])
            return [item]
        },
        vault("delete", "an item that was deleted, and one that stays").whole { vault in
            let items = vault.append(vault.item("kim"), vault.item("lea"))
            vault.append([vault.delete(items[0])])
            return [items[1]]
        },
        vault("delete_then_add", "an item deleted and added again: another id, the same primary key").whole { vault in
            let old = vault.append(vault.item("kim"))[0]
            vault.append([vault.delete(old)])
            var new = vault.item("kim again")
            new.attributes = old.attributes
            return vault.append(new)
        },
        vault("delete_and_add_at_once", "an item deleted and added again in one transaction").whole { vault in
            let old = vault.append(vault.item("kim"))[0]
            var new = vault.item("kim again")
            new.attributes = old.attributes
            new = vault.placed(new, number: 1)
            vault.append([vault.delete(old), vault.put(new)])
            return [new]
        },
        vault("reserve", "a reserve of 65,536 bytes").whole { vault in
            vault.reserveByteCount = 65_536
            return vault.append(vault.item("kim"))
        },
        vault("unsynced_frames", "frames from a writer that syncs later").whole { vault in
            let items = (1...4).flatMap { vault.append(vault.item("number \($0)")) }
            for index in 1..<4 { vault.frames[index].synced = 1 }
            return items
        },
        vault("frame_without_records", "a frame without records, which only states what is durable").whole { vault in
            let items = vault.append(vault.item("kim"))
            vault.append([])
            return items + vault.append(vault.item("lea"))
        },
        vault("frame_of_1024", "896 bytes of records, the most in a frame of 1,024 bytes").frame(896),
        vault("frame_of_1088", "897 bytes of records, a byte more than in a frame of 1,024").frame(897),
        vault("frame_of_2048", "1,920 bytes of records, the most in a frame of 2,048 bytes").frame(1920),
        vault("frame_of_2176", "1,921 bytes of records: from 2,048 bytes on, the sizes are 128 bytes apart")
            .frame(1921),
        vault("same_primary_key", "two items with one primary key, as two machines may make them, are both kept")
            .whole { vault in
                var twin = vault.item("twin")
                twin.attributes = vault.item("kim").attributes
                return vault.append(vault.item("kim"), twin)
            },
        vault("same_id_in_two_groups", "an item is named by its group and its id").whole { vault in
            vault.addWork()
            let one = vault.append(vault.item("kim"))[0]
            var other = vault.placed(one)
            other.key = vault.dataKey(group: "work")
            other.attributes["svce"] = .string("elsewhere")
            vault.append([vault.put(other)])
            return [one, other]
        },
        vault("moved_to_other_group", "an item that moves: a delete and a put in one transaction").whole { vault in
            vault.addWork()
            let old = vault.append(vault.item("kim"))[0]
            var new = vault.placed(old, number: 1)
            new.key = vault.dataKey(group: "work")
            new.revision = 3
            vault.append([vault.delete(old), vault.put(new)])
            return [new]
        },
        vault("generation_7", "a later generation: frames count from the base, and the chain starts afresh")
            .whole { vault in
                vault.generation = 7
                vault.baseSequence = 41
                vault.previousChain = vault.randomness.bytes(32, "previous chain")
                return vault.append(vault.item("kim")) + vault.append(vault.item("lea"))
            },
    ]

    /// A frame with `byteCount` bytes of records.
    private func frame(_ byteCount: Int) -> Vector {
        whole { vault in
            vault.append([SketchRecord(kind: 99, body: zeros(byteCount - 8))])
            return vault.append(vault.item("kim"))
        }
    }

    /// A vault with an item and a delete, made by `delete`, that has no effect.
    func meansNothing(_ delete: (inout VaultSketch, SketchItem) -> SketchRecord) -> Vector {
        whole { vault in
            let item = vault.append(vault.item("kim"))
            let record = delete(&vault, item[0])
            vault.append([record.failing])
            return item
        }
    }

    private static let deletesOfNothing: [Vector] = [
        vault("delete_of_nothing", "a delete of an item that is not there")
            .meansNothing { vault, _ in vault.delete(vault.item("nobody")) },
        vault("delete_of_other_group", "a delete that names another group than the item's; its tag is right")
            .meansNothing { vault, item in
                vault.add(vault.group("work"))
                var other = item
                other.key = vault.dataKey(group: "work")
                return vault.delete(other)
            },
        vault("delete_of_other_epoch", "a delete that names another epoch of the group; its tag is right")
            .meansNothing { vault, item in
                var other = item
                other.key.group = vault.group(epoch: 2)
                vault.add(other.key.group)
                return vault.delete(other)
            },
        vault("delete_twice", "a second delete of an item").whole { vault in
            let items = vault.append(vault.item("kim"), vault.item("lea"))
            vault.append([vault.delete(items[0])])
            vault.append([vault.delete(items[0])])
            return [items[1]]
        },
    ]

    private static let carried: [Vector] = [
        vault("unknown_record", "a record of unknown kind is ignored").whole { vault in
            let item = vault.placed(vault.item("kim"), number: 1)
            vault.append([.unknown(), vault.put(item), .unknown()])
            return [item]
        },
        vault("kinds_0", "an entry, a section and a record of kind 0, which are ignored").whole { vault in
            vault.keybag.append(SketchEntry(type: 0, body: []))
            vault.sections = [UnknownSection { $0.kind = 0 }]
            vault.append([.unknown(kind: 0)])
            return vault.append(vault.item("kim"))
        },
        vault("unknown_section", "a section of unknown kind is ignored").whole { vault in
            vault.sections = [UnknownSection()]
            return vault.append(vault.item("kim"))
        },
        vault("two_groups", "items with the same primary key in two groups").whole { vault in
            vault.addWork()
            var other = vault.item("kim at work", key: vault.dataKey(group: "work"))
            let item = vault.item("kim")
            other.attributes = item.attributes
            return vault.append(item, other)
        },
        vault("group_added_in_log", "a group that a transaction adds together with its first item").whole { vault in
            let group = vault.group("work")
            let key = vault.dataKey(group: "work")
            let item = vault.placed(vault.item("kim", key: key), number: 2)
            vault.append([.key(vault.groupNameEntry(group)), .key(vault.dataKeyEntry(key)), vault.put(item)])
            return [item] + vault.append(vault.item("lea", key: key))
        },
        vault("group_id_random", "a group whose id does not follow from its name, as after a rotation").whole { vault in
            let group = vault.group("work", id: vault.randomness.bytes(8, "group id"))
            var key = vault.dataKey(.ck)
            key.group = group
            vault.add(group)
            vault.keybag.append(vault.dataKeyEntry(key))
            return vault.append(vault.item("kim", key: key))
        },
        vault("group_epoch_beyond_root", "a group whose epoch is greater than that of the user root").whole { vault in
            let key = vault.addEpoch2()
            return vault.append(vault.item("kim", key: key))
        },
        vault("class_added_in_log", "the first data key of a class, which a transaction adds").whole { vault in
            let key = vault.dataKey(.ck)
            let item = vault.placed(vault.item("kim", key: key), number: 1)
            vault.append([.key(vault.dataKeyEntry(key)), vault.put(item)])
            return [item]
        },
        vault("handle_added_later", "an item whose data key comes in a later transaction is there").whole { vault in
            let key = vault.dataKey(.ck)
            let early = vault.append(vault.item("early", key: key))
            vault.append([.key(vault.dataKeyEntry(key))])
            return early + vault.append(vault.item("kim"))
        },
        vault("handle_unknown", "an item whose data key was destroyed is absent").whole { vault in
            vault.append([vault.put(vault.item("gone", key: vault.dataKey(.ck))).failing])
            return vault.append(vault.item("kim"))
        },
    ]
}
