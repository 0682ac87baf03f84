// Sections 8.3, 9.1 and 9.4: wrong metadata, made by a holder of the keys.

extension VaultVectors {
    static let items: [Vector] = metadataLayout + archives + attributes

    /// A put with different metadata; the digest and everything else are those of the item `kim`.
    private static func metadata(
        _ name: String,
        _ comment: String,
        itemClass: UInt8 = 1,
        reserved: [UInt8] = zeros(3),
        columns: [[UInt8]]? = nil,
        archive: (SketchItem) -> [UInt8] = { canonicalArchive($0.attributes) }
    ) -> Vector {
        record(name, comment, isDamaged: true) { vault, _ in
            let item = vault.placed(vault.item("kim"))
            let metadata = SketchItem.metadata(
                itemClass,
                reserved: reserved,
                columns: columns ?? item.columns,
                archive: archive(item)
            )
            return vault.put(item) { $0.metadata = metadata }
        }
    }

    private static let metadataLayout: [Vector] = [
        metadata("metadata_reserved", "a reserved byte of the metadata", reserved: [0, 0, 1]),
        metadata("metadata_class", "the metadata of a certificate after the match entry of a password", itemClass: 3),
        metadata(
            "metadata_columns_swapped",
            "the columns in the wrong order",
            columns: [
                Array("kim".utf8), Array("mail.example.com".utf8),
            ]
        ),
        metadata(
            "metadata_column_differs",
            "a column that is not the attribute's canonical value",
            columns: [
                Array("mail.example.org".utf8), Array("kim".utf8),
            ]
        ),
        metadata(
            "metadata_column_2_differs",
            "a second column that is not the attribute's canonical value",
            columns: [
                Array("mail.example.com".utf8), Array("kin".utf8),
            ]
        ),
        damaged("metadata_column_maximal", "a column of 2^32 - 1 bytes") { put in
            put.metadata.put(u32(0xFFFF_FFFF as UInt32), at: 4)
        },
        damaged("metadata_empty", "no metadata") { $0.metadata = [] },
        damaged("metadata_cut", "metadata that ends in a column") { $0.metadata.removeSubrange(10...) },
    ]

    private static let archives: [Vector] = [
        metadata("archive_missing", "no archive") { _ in [] },
        metadata("archive_not_canonical", "attributes in another order") { item in
            let entries = item.attributes.sorted { $0.key > $1.key }.map { (AppleValue.string($0.key), $0.value) }
            return AppleArchiver.archive(.dictionary(entries)).propertyList
        },
        metadata("archive_trailing_byte", "a byte before the trailer") { item in
            var archive = canonicalArchive(item.attributes)
            archive.insert(0, at: archive.count - 32)
            return archive
        },
        metadata("archive_of_array", "an array") { _ in AppleArchiver.archive(.array([])).propertyList },
        metadata("archive_number_key", "an attribute whose name is a number") { item in
            let entries = item.attributes.sorted { $0.key < $1.key }.map { (AppleValue.string($0.key), $0.value) }
            return AppleArchiver.archive(.dictionary([(.int(1), .int(1))] + entries)).propertyList
        },
        metadata("archive_class_not_allowed", "an instance of another class") { item in
            var attributes = item.attributes
            attributes["icmt"] = .object(["NSPredicate", "NSObject"], [])
            return canonicalArchive(attributes)
        },
        metadata("archive_depth_40", "arrays, 40 deep") { item in
            var attributes = item.attributes
            attributes["icmt"] = (1...39).reduce(.string("deep")) { inner, _ in .array([inner]) }
            return canonicalArchive(attributes)
        },
        metadata("archive_depth_600", "arrays, 600 deep") { item in
            var attributes = item.attributes
            attributes["icmt"] = (1...600).reduce(.string("deep")) { inner, _ in .array([inner]) }
            return canonicalArchive(attributes)
        },
        metadata("archive_shared_refs_24", "24 arrays, each holding the next twice") { _ in
            let levels: [AppleNode] = (1...24).map { level in
                .instance(26, ("NS.objects", .uids(UInt64(level) + 1, UInt64(level) + 1)))
            }
            return AppleNode.archive(levels + [.string("deep"), .class("NSArray", "NSObject")]).propertyList
        },
        metadata("archive_self_reference", "an array that contains itself") { _ in
            AppleNode.archive([.instance(2, ("NS.objects", .uids(1))), .class("NSArray", "NSObject")]).propertyList
        },
    ]

    /// A put of an item with further attributes.
    private static func attribute(_ name: String, _ comment: String, _ extra: [String: AppleValue]) -> Vector {
        record(name, comment, isDamaged: true) { vault, _ in
            vault.put(vault.placed(vault.item("kim").revised(extra)))
        }
    }

    private static let attributes: [Vector] = [
        attribute("attribute_unknown", "an attribute that does not exist in any class", ["what": .string("?")]),
        attribute("attribute_of_other_class", "a generic password with a port", ["port": .int(443)]),
        attribute("attribute_agrp", "the access group is not allowed in the archive", ["agrp": .string("mail")]),
        attribute("attribute_pdmn", "the protection class is not allowed in the archive", ["pdmn": .string("ak")]),
        attribute("attribute_sha1", "the digest is not allowed in the archive", ["sha1": .scalar(.data(zeros(20)))]),
        attribute("attribute_data", "the data is not allowed in the archive", ["v_Data": .scalar(.data([1]))]),
        attribute("attribute_bini", "binary values are not allowed in the archive", ["bini": .scalar(.data([1]))]),
        attribute("attribute_number_as_data", "a number that is data", ["crtr": .scalar(.data([1]))]),
        attribute("attribute_number_as_bool", "a number that is a bool", ["invi": .scalar(.bool(true))]),
        attribute("attribute_date_as_number", "a date that is a number", ["mdat": .int(600_000_000)]),
        attribute("attribute_blob_as_real", "a blob that is a real", ["labl": .scalar(.real(1.5))]),
        attribute("attribute_string_as_data", "a string that is data", ["vwht": .scalar(.data([0x61]))]),
        attribute("attribute_data_as_string", "data that is a string", ["musr": .string("kim")]),
        record(
            "attribute_data_of_certificate_as_string",
            "a certificate whose subject is a string",
            isDamaged: true
        ) { vault, _ in
            vault.put(vault.placed(vault.certificate.revised(["subj": .string("Root")])))
        },
        attribute("attribute_array", "an attribute that is an array", ["desc": .array([])]),
        attribute("access_control_number", "access control that is not a dictionary", ["accc": .int(1)]),
        attribute("access_control_empty", "access control without flags", ["accc": .dictionary([])]),
        attribute(
            "access_control_further",
            "access control with something else",
            [
                "accc": .dictionary([(.string("flags"), .int(1)), (.string("until"), .int(1))])
            ]
        ),
        attribute(
            "access_control_text",
            "flags that are not an integer",
            [
                "accc": .dictionary([(.string("flags"), .string("1"))])
            ]
        ),
    ]
}
