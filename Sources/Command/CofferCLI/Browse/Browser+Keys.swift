internal import Coffer
internal import CofferBasics
internal import CofferScreen

// What keys and the mouse do.
extension Browser {
    func handle(_ event: InputEvent) throws {
        do {
            try perform(event)
        } catch {
            say(try words(for: error))
        }
    }

    /// An error in words; throws it instead if it ends the screen, or what the user was doing.
    func words(for error: any Error) throws -> String {
        if error is End { throw error }
        let error = CommandError(error)
        if let signal = error.signal { throw End.signal(signal) }
        return ([error.message] + error.hints).joined(separator: "; ")
    }

    private func perform(_ event: InputEvent) throws {
        switch event {
        case .key(.character("c"), .control): throw End.quit
        case .key(.character("z"), .control): try suspend()
        case .key(.character("l"), .control): redraw()
        case .key(let key, let modifiers) where state.isSearching: try search(key, modifiers)
        case .paste(let text?) where state.isSearching:
            _ = state.query.insert(text)
            try filter()
        case .key(let key, let modifiers): try press(key, modifiers)
        case .mouse(let action, let position, _): try point(action, position)
        case .background(let isLight): state.isLight = isLight
        case .paste: break
        }
    }

    private func search(_ key: PressedKey, _ modifiers: KeyModifiers) throws {
        switch key {
        case .enter, .tab: state.isSearching = false
        case .escape:
            state.clearSearch()
            try filter()
        case .up, .down, .pageUp, .pageDown:
            _ = state.itemWindow.handle(key)
            try select()
        default:
            guard state.query.handle(key, modifiers) else { return }
            try filter()
            state.itemWindow.select(0)
            try select()
        }
    }

    private func press(_ key: PressedKey, _ modifiers: KeyModifiers) throws {
        switch (key, modifiers) {
        case (.character("q"), []): throw End.quit
        case (.character("?"), _), (.function(1), _): try show("Keys", Self.help)
        case (.character("o"), []): try changeVault()
        case (.enter, []) where state.outline != nil: try open()
        case (.character("u"), []) where state.isLocked || state.outline != nil: try open()
        default: if state.outline == nil { try pressInVault(key) }
        }
    }

    private func pressInVault(_ key: PressedKey) throws {
        switch key {
        case .character("/"):
            state.clearSearch()
            (state.isSearching, state.focus) = (true, .items)
            try filter()
        case .character("1"): state.focus = .scopes
        case .character("2"): state.focus = .items
        case .character("3"): state.focus = .details
        case .tab, .right, .character("l"): moveFocus(by: 1)
        case .left, .character("h"): moveFocus(by: -1)
        case .escape:
            state.hideSecret()
            if state.focus == .items {
                if state.query.text.isEmpty { state.clearMarks() } else { try search(.escape, []) }
            }
            state.focus = .items
        case .character("a"): try add()
        case .character("L"): try lock()
        case .character("w"): try work()
        case .character("A"): try reload(authenticating: true)
        default: try pressInPane(key)
        }
    }

    private func pressInPane(_ key: PressedKey) throws {
        switch state.focus {
        case .scopes:
            if key == .enter { state.focus = .items }
            if state.scopeWindow.handle(key) { try filter() }
        case .items:
            if state.itemWindow.handle(key) { return try select() }
            if key == .character("s") {
                state.toggleOrder()
                return try select()
            }
            if key == .character("z"), !justDone.isEmpty { return try undo(justDone) }
            guard let item = state.selected else { return }
            try act(on: item, key)
        case .details:
            if state.changeWindow.handle(key) { return state.hideSecret() }
            try actOnHistory(key)
        }
    }

    private func act(on item: FoundItem, _ key: PressedKey) throws {
        switch key {
        case .character("z"): try undo([item])
        case .enter: state.focus = .details
        default: break
        }
        guard state.scope != .deleted else { return }
        switch key {
        case .character(" "): try toggleSecret(of: item)
        case .character("c"): try copy(item)
        case .character("y"): try copyPart(of: item)
        case .character("e"): try edit(item)
        case .character("n"): try generate(for: item)
        case .character("x"):
            state.toggleMark()
            state.itemWindow.move(by: 1)
            try select()
        case .character("X"): state.toggleAllMarks()
        case .character("d"), .delete: try delete(state.chosen)
        case .character("m"): try move(state.chosen)
        default: break
        }
    }

    private func actOnHistory(_ key: PressedKey) throws {
        guard let change = state.selectedChange else { return }
        switch key {
        case .character(" "): try toggleSecret(of: change)
        case .character("x"): state.marked = state.changeWindow.selected
        case .enter: try compare(change)
        case .character("r"): try restore(change)
        default: break
        }
    }

    private func moveFocus(by step: Int) {
        let panes: [BrowserState.Pane] = [.scopes, .items, .details]
        guard let index = panes.firstIndex(of: state.focus) else { return }
        state.focus = panes[(index + step + panes.count) % panes.count]
    }

    private func point(_ action: MouseAction, _ position: Position) throws {
        guard let (pane, rect) = state.places.first(where: { $0.rect.contains(position) }) else { return }
        switch action {
        case .press(.left):
            state.focus = pane
            let row = position.row - rect.row - 1
            switch pane {
            case .scopes:
                guard state.scopeWindow.visible.contains(row + state.scopeWindow.first) else { return }
                state.scopeWindow.select(row + state.scopeWindow.first)
                try filter()
            case .items:
                guard row > 0 else { return state.isSearching = true }
                guard state.itemWindow.visible.contains(row - 1 + state.itemWindow.first) else { return }
                state.itemWindow.select(row - 1 + state.itemWindow.first)
                try select()
            case .details: break
            }
        case .wheelUp, .wheelDown:
            let step = action == .wheelUp ? -3 : 3
            switch pane {
            case .scopes:
                state.scopeWindow.move(by: step)
                try filter()
            case .items:
                state.itemWindow.move(by: step)
                try select()
            case .details: state.changeWindow.move(by: step)
            }
        default: break
        }
    }

    private static let help: [(text: String, isHeading: Bool)] = """
        *Moving
        ↑ ↓  j k       one row
        PgUp PgDn      one page
        g  G           first, last
        1 2 3          groups, items, details; or Tab ← → h l
        /              search anew; Esc clears it
        s              sort by date, or by name again
        *Items
        Space          show the secret for 20 s, or hide it
        c              copy the secret for 45 s
        y              copy user, secret, code or address; open it
        a              add a password
        e              edit the fields
        n              generate a new secret
        x  X           mark an item, all that are listed
        d              delete it, or those marked
        m              move it, or those marked, to another group
        z              undo that, or the item's last change
        A              list what requires authentication, too
        *History, in the pane on the right
        Space          show the secret of the revision
        x              mark a revision
        Enter          compare with it, or with the current one
        r              restore
        *Vault
        L  u           lock, unlock
        o              open another vault
        w              import, export, verify, passphrase, compact
        Ctrl-L Ctrl-Z  redraw, suspend
        q              quit
        *In front of items, not keys
        p  password     w  web password
        c  certificate  k  key or identity
        """.split(separator: "\n").map { line in
            line.hasPrefix("*") ? (String(line.dropFirst()), true) : ("  \(line)", false)
        }
}
