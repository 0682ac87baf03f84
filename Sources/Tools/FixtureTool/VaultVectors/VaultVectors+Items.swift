// Sections 8.3, 9.1 and 9.4: wrong metadata, made by a holder of the keys.

extension VaultVectors {
    static let items: [Vector] = archives + attributes

    /// A put with different metadata; the digest and everything else are those of the item `kim`.
    private func metadata(_ make: (SketchItem) -> [UInt8]) -> Vector {
        record(isDamaged: true) { vault, _ in
            let item = vault.placed(vault.item("kim"))
            let metadata = make(item)
            return vault.put(item) { $0.metadata = metadata }
        }
    }

    private static let archives: [Vector] = [
        vault("archive_missing", "no archive").metadata { _ in [] },
        vault("archive_cut", "an archive without its last byte").metadata {
            canonicalArchive($0.attributes).dropLast()
        },
        vault("archive_of_other_account", "the metadata of another item")
            .metadata { canonicalArchive($0.attributes.merging(["acct": .string("eve")]) { $1 }) },
        vault("archive_not_canonical", "attributes in another order").metadata { item in
            let entries = item.attributes.sorted { $0.key > $1.key }.map { (AppleValue.string($0.key), $0.value) }
            return AppleArchiver.archive(.dictionary(entries)).propertyList
        },
        vault("archive_trailing_byte", "a byte before the trailer").metadata { item in
            var archive = canonicalArchive(item.attributes)
            archive.insert(0, at: archive.count - 32)
            return archive
        },
        vault("archive_of_array", "an array").metadata { _ in AppleArchiver.archive(.array([])).propertyList },
        vault("archive_number_key", "an attribute whose name is a number").metadata { item in
            let entries = item.attributes.sorted { $0.key < $1.key }.map { (AppleValue.string($0.key), $0.value) }
            return AppleArchiver.archive(.dictionary([(.int(1), .int(1))] + entries)).propertyList
        },
        vault("archive_class_not_allowed", "an instance of another class").metadata { item in
            var attributes = item.attributes
            attributes["icmt"] = .object(["NSPredicate", "NSObject"], [])
            return canonicalArchive(attributes)
        },
        vault("archive_depth_40", "arrays, 40 deep").metadata { item in
            var attributes = item.attributes
            attributes["icmt"] = (1...39).reduce(.string("deep")) { inner, _ in .array([inner]) }
            return canonicalArchive(attributes)
        },
        vault("archive_depth_600", "arrays, 600 deep").metadata { item in
            var attributes = item.attributes
            attributes["icmt"] = (1...600).reduce(.string("deep")) { inner, _ in .array([inner]) }
            return canonicalArchive(attributes)
        },
        vault("archive_shared_refs_24", "24 arrays, each holding the next twice").metadata { _ in
            let levels: [AppleNode] = (1...24).map { level in
                .instance(26, ("NS.objects", .uids(UInt64(level) + 1, UInt64(level) + 1)))
            }
            return AppleNode.archive(levels + [.string("deep"), .class("NSArray", "NSObject")]).propertyList
        },
        vault("archive_self_reference", "an array that contains itself").metadata { _ in
            AppleNode.archive([.instance(2, ("NS.objects", .uids(1))), .class("NSArray", "NSObject")]).propertyList
        },
    ]

    /// A put of an item with further attributes.
    func attribute(_ extra: [String: AppleValue]) -> Vector {
        record(isDamaged: true) { vault, _ in vault.put(vault.placed(vault.item("kim").revised(extra))) }
    }

    private static let attributes: [Vector] = [
        vault("attribute_unknown", "an attribute that does not exist in any class").attribute(["what": .string("?")]),
        vault("attribute_of_other_class", "a generic password with a port").attribute(["port": .int(443)]),
        vault("attribute_agrp", "the access group is not allowed in the archive").attribute(["agrp": .string("mail")]),
        vault("attribute_pdmn", "the protection class is not allowed in the archive")
            .attribute(["pdmn": .string("ak")]),
        vault("attribute_sha1", "the digest is not allowed in the archive")
            .attribute(["sha1": .scalar(.data(zeros(20)))]),
        vault("attribute_data", "the data is not allowed in the archive").attribute(["v_Data": .scalar(.data([1]))]),
        vault("attribute_bini", "binary values are not allowed in the archive")
            .attribute(["bini": .scalar(.data([1]))]),
        vault("attribute_number_as_data", "a number that is data").attribute(["crtr": .scalar(.data([1]))]),
        vault("attribute_number_as_bool", "a number that is a bool").attribute(["invi": .scalar(.bool(true))]),
        vault("attribute_date_as_number", "a date that is a number").attribute(["mdat": .int(600_000_000)]),
        vault("attribute_blob_as_real", "a blob that is a real").attribute(["labl": .scalar(.real(1.5))]),
        vault("attribute_string_as_data", "a string that is data").attribute(["vwht": .scalar(.data([0x61]))]),
        vault("attribute_data_as_string", "data that is a string").attribute(["musr": .string("kim")]),
        vault("attribute_data_of_certificate_as_string", "a certificate whose subject is a string")
            .record(isDamaged: true) { vault in
                vault.put(vault.placed(vault.certificate.revised(["subj": .string("Root")])))
            },
        vault("attribute_array", "an attribute that is an array").attribute(["desc": .array([])]),
        vault("access_control_number", "access control that is not a dictionary").attribute(["accc": .int(1)]),
        vault("access_control_empty", "access control without flags").attribute(["accc": .dictionary([])]),
        vault("access_control_further", "access control with something else")
            .attribute(["accc": .dictionary([(.string("flags"), .int(1)), (.string("until"), .int(1))])]),
        vault("access_control_text", "flags that are not an integer")
            .attribute(["accc": .dictionary([(.string("flags"), .string("1"))])]),
    ]
}

// Section 8.4: secrets of form 2, for a reader that has an application password.

extension VaultVectors {
    /// A vault with an item that has an application password, which the reader is given.
    private func passworded(
        password: String = "open",
        expect: String = "success",
        opensData: Bool = false,
        _ make: (VaultSketch) -> SketchItem = { $0.behindPassword }
    ) -> Vector {
        var vault = VaultSketch(name)
        var items = vault.append(make(vault))
        if opensData { items[0].secret = .data(Array("sesame".utf8)) }
        return vector(
            expect,
            vault.build().bytes,
            unlock: Self.passphrase + [("application-password", password)],
            readable: expect == "success" ? items : [],
            expect == "success" ? [] : [("records failed", "1")]
        )
    }

    static let applicationPasswords: [Vector] = [
        vault("application_password_right", "data that its application password opens").passworded(opensData: true),
        vault("application_password_wrong", "a wrong application password opens no data").passworded(password: "shut"),
        vault("application_password_2_gib", "a password that would take 2 GiB of memory is not tried")
            .passworded { $0.behindPassword(mem: 2_097_152) },
        vault("application_password_form_2", "data with a password within data with a password")
            .passworded(expect: "record failure") { $0.behindPassword(inner: [2] + zeros(97)) },
        vault("application_password_form_3", "another form within")
            .passworded(expect: "record failure") { $0.behindPassword(inner: [3, 1]) },
        vault("application_password_flipped", "sealed data that was changed, with the right commitment")
            .passworded(expect: "record failure") { $0.behindPassword { $0.flip($0.count - 1) } },
        vault("application_password_several", "further binary values within").passworded(opensData: true) {
            let parts: [(AppleValue, AppleValue)] = [
                (.string("bin3"), .scalar(.data([3]))), (.string("v_Data"), .scalar(.data(Array("sesame".utf8)))),
            ]
            return $0.behindPassword(inner: [1] + AppleArchiver.archive(.dictionary(parts)).propertyList)
        },
    ]
}
