#!/usr/bin/env node
import '../dist/braid-demo.js'
