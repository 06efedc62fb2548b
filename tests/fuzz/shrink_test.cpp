#include "fuzz/shrink.hpp"

#include <gtest/gtest.h>
