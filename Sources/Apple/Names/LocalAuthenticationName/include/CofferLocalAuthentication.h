// The declarations are those of the module in Swift of this name.
