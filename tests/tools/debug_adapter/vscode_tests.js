// The VS Code extension, without VS Code: what package.json names is there, extension.js starts the adapter that the
// protocol's own test client (@vscode/debugadapter-testsupport) drives, and the grammar knows what the assembler does.
// usage: node vscode_tests.js PROGRAM MODULES (a folder with node_modules)
'use strict';
const assert = require('assert');
const childProcess = require('child_process');
const fs = require('fs');
const Module = require('module');
const os = require('os');
const path = require('path');

const [program, modules] = process.argv.slice(2);
const extensionFolder = path.join(__dirname, '../../../editors/vscode');
const manifest = JSON.parse(fs.readFileSync(path.join(extensionFolder, 'package.json')));
const { DebugClient } = require(path.join(modules, 'node_modules/@vscode/debugadapter-testsupport'));

const source = `#include <microengine.h>
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 10; i++)
    sum += *(volatile __sram u32 *)(0x100 + 4 * i);
  return sum;
}
`;

// Loads the extension with a stand-in for the editor; gives what it registers.
function loadExtension() {
  const registered = { adapters: {}, commands: {}, tasks: {} };
  const vscode = {
    workspace: { getConfiguration: () => ({ get: () => program }) },
    debug: {
      registerDebugAdapterDescriptorFactory: (type, factory) => { registered.adapters[type] = factory; return {}; },
    },
    commands: { registerCommand: (name, run) => { registered.commands[name] = run; return {}; } },
    tasks: { registerTaskProvider: (type, provider) => { registered.tasks[type] = provider; return {}; } },
    DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
    ProcessExecution: class { constructor(command, args) { Object.assign(this, { command, args }); } },
    Task: class { constructor(...all) { this.all = all; } },
    TaskScope: { Workspace: 1 },
  };
  const load = Module._load;
  Module._load = (name, ...rest) => name === 'vscode' ? vscode : load(name, ...rest);
  const main = path.join(extensionFolder, manifest.main);
  delete require.cache[main];
  require(main).activate({ subscriptions: [] });
  Module._load = load;
  return registered;
}

function packageNamesWhatIsThere() {
  for (const grammar of manifest.contributes.grammars)
    assert(fs.existsSync(path.join(extensionFolder, grammar.path)), grammar.path);
  for (const language of manifest.contributes.languages)
    assert(fs.existsSync(path.join(extensionFolder, language.configuration)), language.id);
  const registered = loadExtension();
  assert.deepStrictEqual(Object.keys(registered.commands).sort(),
                         manifest.contributes.commands.map((one) => one.command).sort());
  assert(registered.adapters[manifest.contributes.debuggers[0].type]);
}

async function tasksRunTheProgram() {
  const registered = loadExtension();
  const task = registered.tasks.nplab.resolveTask({ definition: { type: 'nplab', command: 'check', target: 'bv1' } });
  const execution = task.all[4];
  const run = childProcess.spawnSync(execution.command, execution.args);
  assert.strictEqual(run.status, 0, String(run.stderr));
  const wrong = childProcess.spawnSync(program, ['cc', path.join(os.tmpdir(), 'nplab-no-such-file.c')]);
  assert.strictEqual(wrong.status, 2);
}

// Every error that a program with errors gives is one that the problem matcher reads.
function problemMatcherReadsErrors(file) {
  fs.writeFileSync(file, 'int main(void) {\n  return x;\n}\n');
  const run = childProcess.spawnSync(program, ['cc', file]);
  const pattern = manifest.contributes.problemMatchers[0].pattern;
  const found = String(run.stderr).split('\n').map((text) => text.match(new RegExp(pattern.regexp))).filter((m) => m);
  assert.strictEqual(found.length, 1, String(run.stderr));
  assert.strictEqual(found[0][pattern.file], file);
  assert.strictEqual(found[0][pattern.line], '2');
  assert.strictEqual(found[0][pattern.severity], 'error');
}

// Each instruction that the compiler writes has a colour, and each register.
function grammarKnowsTheAssembly(file) {
  fs.writeFileSync(file, source);
  const output = path.join(path.dirname(file), 'program.s');
  const run = childProcess.spawnSync(program, ['cc', file, '-S', '-o', output]);
  assert.strictEqual(run.status, 0, String(run.stderr));
  const grammar = JSON.parse(fs.readFileSync(path.join(extensionFolder, manifest.contributes.grammars[0].path)));
  const named = grammar.patterns.map(({ name, match }) => ({ name, match: new RegExp(match) }));
  let instructions = 0;
  for (const text of String(fs.readFileSync(output)).split('\n')) {
    const instruction = text.match(/^\s+([a-z][^\s[]*)\[/);
    if (!instruction)
      continue;
    ++instructions;
    assert(named.some(({ name, match }) => /keyword|support/.test(name) && match.test(text)), text);
  }
  assert(instructions > 5);
}

async function theStandardClientStopsStepsAndGoesBack(file) {
  fs.writeFileSync(file, source);
  const registered = loadExtension();
  const adapter = registered.adapters.nplab.createDebugAdapterDescriptor({ configuration: { args: ['--threads', '2'] } });
  assert.deepStrictEqual(adapter.args, ['debug', '--threads', '2']);
  const client = new DebugClient(adapter.command, adapter.args.join(' '), 'nplab',
                                 { shell: true });
  client.enableStderr = false;
  client.defaultTimeout = 60000;
  await client.start();
  await Promise.all([
    client.waitForEvent('initialized').then(() => client.setBreakpointsRequest(
      { source: { path: file }, breakpoints: [{ line: 5 }] })).then(() => client.configurationDoneRequest()),
    client.launch({ program: file, stopOnEntry: false }),
    client.assertStoppedLocation('breakpoint', { path: file, line: 5 }),
  ]);
  const first = (await client.evaluateRequest({ expression: 'cycle' })).body.result;
  await Promise.all([client.continueRequest({ threadId: 1 }), client.waitForEvent('stopped')]);
  assert.notStrictEqual((await client.evaluateRequest({ expression: 'cycle' })).body.result, first);
  await Promise.all([client.reverseContinueRequest({ threadId: 1 }), client.waitForEvent('stopped')]);
  assert.strictEqual((await client.evaluateRequest({ expression: 'cycle' })).body.result, first);
  await client.stop();
}

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nplab-vscode-'));
  const file = path.join(folder, 'program.c');
  try {
    packageNamesWhatIsThere();
    await tasksRunTheProgram();
    problemMatcherReadsErrors(file);
    grammarKnowsTheAssembly(file);
    await theStandardClientStopsStepsAndGoesBack(file);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
