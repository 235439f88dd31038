#!/usr/bin/env node
await import("../dist/edge-agent.js");
