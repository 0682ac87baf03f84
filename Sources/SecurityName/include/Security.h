#include "CofferSecurity.h"
