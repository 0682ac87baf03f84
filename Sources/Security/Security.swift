@_exported public import CofferSecurity
