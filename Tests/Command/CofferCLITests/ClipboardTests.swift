import CommandSystem
import TestSupport
import Testing

@Suite("The clipboard", .temporaryDirectory) struct ClipboardTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
        #expect(sample.run("set", "mail", "kim", "-q", input: "hunter2").status == 0)
    }

    private func copy(_ variables: [String: String], _ screen: SampleScreen? = nil) -> (
        CommandSample.Result, SampleMachine
    ) {
        var call = CommandSample.Call(words: ["get", "mail", "--clip"], variables: variables)
        let machine = SampleMachine(variables)
        (call.machine, call.screen) = (machine, screen)
        return (sample.run(call), machine)
    }

    @Test(arguments: [("WAYLAND_DISPLAY", "wl-copy"), ("DISPLAY", "xclip")])
    func `the program of the display keeps the secret for 45 seconds`(variable: String, program: String) throws {
        let (result, machine) = copy([variable: "x"])
        #expect(result.output.isEmpty && result.errors.contains("copied the secret of mail kim"))
        let clipboard = try #require(machine.clipboards.last)
        #expect(clipboard.words.starts(with: ["setsid", "--fork", "timeout", "45", program]))
        #expect(clipboard.text == "hunter2")
        // No program gets the secret in its arguments.
        #expect(machine.clipboards.allSatisfy { !$0.words.joined().contains("hunter2") })
    }

    @Test func `without a program the terminal gets the secret, and is told to clear it`() throws {
        let screen = SampleScreen(columns: 80, rows: 24, time: sample.time, [])
        let (result, machine) = copy(["DISPLAY": "x", "SAMPLE_NO_PROGRAM": "xclip"], screen)
        #expect(result.status == 0)
        // The base64 of the secret is that of RFC 4648.
        #expect(String(decoding: screen.written, as: UTF8.self) == "\u{1B}]52;c;aHVudGVyMg==\u{7}")
        let words = try #require(machine.clipboards.last).words
        #expect(words.contains { $0.contains("sleep 45") } && words.last == "/dev/pts/sample")
        #expect(!result.errors.contains("tmux"))
    }

    @Test func `a tmux that is out of reach may keep the secret`() {
        let screen = SampleScreen(columns: 80, rows: 24, time: sample.time, [])
        let (result, _) = copy(["TERM": "tmux-256color"], screen)
        #expect(result.errors.contains("a tmux or screen on the way may keep it"))
    }

    @Test func `a tmux that does not take it is an error`() {
        let (result, machine) = copy(["TMUX": "/tmp/tmux", "SAMPLE_NO_PROGRAM": "sh"])
        #expect(result.status == 53 && machine.clipboards.isEmpty)
    }

    @Test func `without a display and a terminal nothing is copied`() {
        let (result, _) = copy([:])
        #expect(result.status == 53 && result.errors.contains("there is no clipboard"))
    }
}
