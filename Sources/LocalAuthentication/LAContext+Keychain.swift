internal import CofferSecurity

extension LAContext: AuthenticationContext {}
