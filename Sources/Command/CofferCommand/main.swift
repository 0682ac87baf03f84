import CofferCLI

CofferCommand.main()
