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
