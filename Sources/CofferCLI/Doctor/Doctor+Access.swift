internal import Coffer
internal import CofferBasics
internal import VaultFiles

// Who can get at the files, and who writes.
extension Doctor {
    mutating func examineAccess(_ path: String) {
        guard outline != nil, let machine = try? options.machine() else { return }
        do throws(FileError) {
            let (directory, name) = try machine.files.locate(path)
            let status = try directory.status(of: name)
            let access = AccessReport(of: status, reader: machine.user, allowedGroups: options.allowedGroups)
            for finding in access.findings {
                let text = finding.description(of: path)
                if case .widePermissions = finding, access.refusesWriting {
                    checkup.problem("permissions", text, ["until then the vault can only be read"], .permissions)
                } else {
                    checkup.warning("permissions", text)
                }
            }
            let isFine = access.findings.isEmpty
            if isFine { checkup.ok("permissions", "only you can get at the file") }
            try examineDirectory(directory.path, machine.files, machine.user)
            _ = try directory.open(name, for: .writing)
        } catch {
            checkup.warning("permissions", "the vault can only be read: \(error)")
        }
    }

    private mutating func examineDirectory(
        _ path: String,
        _ files: any FileSystem,
        _ user: UInt32
    ) throws(FileError) {
        guard path != "/" else { return }
        let (parent, name) = try files.locate(path)
        let status = try parent.status(of: name)
        if status.permissions & 0o022 != 0 {
            checkup.warning(
                "directory",
                "others can write the directory \(path.printable), and so could put another file in place of the vault",
                ["take that right away (chmod go-w), or choose another directory"]
            )
        } else if status.owner != user, status.owner != 0 {
            checkup.warning(
                "directory",
                "the directory \(path.printable) belongs to user \(status.owner), who could replace the vault"
            )
        } else {
            checkup.ok("directory", "nobody else can write \(path.printable)")
        }
    }

    mutating func examineLock(_ path: String) {
        guard let machine = try? options.machine() else { return }
        do throws(FileError) {
            let (directory, name) = try machine.files.locate(path)
            let file = try directory.open(name, for: .writing)
            guard try file.tryLock() else {
                let process = file.lockHolder().map { "process \($0)" } ?? "a process that the system does not name"
                return checkup.warning(
                    "lock",
                    "\(process) holds the writer's lock of the vault",
                    ["a change waits for it for five seconds; if it never ends, look at that process"]
                )
            }
            try file.unlock()
            checkup.ok("lock", "nobody is writing the vault")
        } catch {
            // That it cannot be written was said.
            guard ![.permissionDenied, .readOnlyFileSystem].contains(error.reason) else { return }
            checkup.problem("lock", CommandError(error))
        }
    }

    mutating func examineDeviceKey() {
        let known = outline?.devices ?? []
        guard outline == nil || !known.isEmpty else {
            return checkup.ok("device key", "not needed: no machine has a part in the vault")
        }
        switch DeviceKeyState(options) {
        case .absent(let path):
            guard let path else {
                return checkup.warning(
                    "device key",
                    "nothing tells where the device key could be",
                    ["set HOME or XDG_STATE_HOME, or STATE_DIRECTORY for a service"]
                )
            }
            guard outline != nil else { return checkup.ok("device key", "none yet; it is made with the vault") }
            checkup.warning(
                "device key",
                "this machine has none (\(path.printable))",
                ["if there was one, bring it back from a backup", "coffer slot add device makes one for this vault"]
            )
        case .found(let path, let device, let warnings):
            for warning in warnings { checkup.warning("device key", warning) }
            guard outline == nil || known.contains(device) else {
                return checkup.warning(
                    "device key",
                    "\(path.printable) is machine \(device), which the vault does not know",
                    ["coffer slot add device gives this machine a part in it"]
                )
            }
            checkup.ok("device key", "\(path.printable), machine \(device)")
        case .unusable(let problem): checkup.problem("device key", CommandError(problem))
        }
    }
}
