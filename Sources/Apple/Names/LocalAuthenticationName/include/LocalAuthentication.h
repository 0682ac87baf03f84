#include "CofferLocalAuthentication.h"
