/// What the macro sees.
@freestanding(expression)
public macro stamp() -> String = #externalMacro(module: "StampMacros", type: "Stamp")
