#ifndef COFFER_CSODIUM_H
#define COFFER_CSODIUM_H

#include <sodium.h>

#endif
