#!/usr/bin/env node
import '../dist/braid.js'
