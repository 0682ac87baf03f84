import CofferCLI
import Testing

@Suite("Prompts of other programs") struct AskpassPromptTests {
    // In the words of OpenSSH, git and sudo.
    @Test(arguments: [
        ("Username for 'https://example.com': ", AskpassPrompt.username(url: "https://example.com")),
        ("Password for 'https://kim@example.com:8443': ", .password(url: "https://kim@example.com:8443")),
        ("Enter passphrase for key '/home/kim/.ssh/id': ", .key(path: "/home/kim/.ssh/id")),
        ("Enter passphrase for key '/tmp/it's': ", .key(path: "/tmp/it's")),
        ("Enter passphrase for /home/kim/.ssh/id: ", .key(path: "/home/kim/.ssh/id")),
        ("Enter passphrase for /k (will confirm each use): ", .key(path: "/k")),
        ("kim@host's password: ", .login(user: "kim", host: "host")),
        ("kim@home@host's password: ", .login(user: "kim@home", host: "host")),
        ("(kim@host) Password: ", .login(user: "kim", host: "host")),
        ("[sudo] password for kim: ", .sudo(user: "kim")),
        ("Are you sure you want to continue connecting (yes/no/[fingerprint])? ", .confirmation),
        ("Please type 'yes', 'no' or the fingerprint: ", .confirmation),
        ("The host is new (yes/no)?\nEnter passphrase for key 'x': ", .confirmation),
        ("Accept updated hostkeys? (yes/no): ", .confirmation),
        ("Bad passphrase, try again for /home/kim/.ssh/id: ", .again), ("Enter passphrase: ", .unknown),
        ("Password: ", .unknown), ("", .unknown), ("'s password:", .unknown),
        ("Enter passphrase for key '': ", .unknown),
        ("Password for 'x", .unknown),
    ])
    func `the kind of prompt is recognized`(text: String, prompt: AskpassPrompt) {
        #expect(AskpassPrompt(text) == prompt)
    }
}
