// Old place of crt/host_defines.h.
#pragma once

#include "crt/host_defines.h"
