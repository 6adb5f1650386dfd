// Starts `nplab debug` for a debug session, steps by cycles of the chip, and makes tasks of nplab's commands.
// Plain JavaScript: there is no build step.
'use strict';
const vscode = require('vscode');

function command() {
  return vscode.workspace.getConfiguration('nplab').get('command', 'nplab');
}

const adapters = {
  createDebugAdapterDescriptor(session) {
    const options = session.workspaceFolder ? { cwd: session.workspaceFolder.uri.fsPath } : undefined;
    return new vscode.DebugAdapterExecutable(command(), ['debug', ...(session.configuration.args || [])], options);
  },
};

// The protocol has no granularity of a cycle; nplab takes `cycle` beside those that it has.
async function stepCycle(request) {
  const session = vscode.debug.activeDebugSession;
  if (!session || session.type !== 'nplab')
    return;
  const { threads } = await session.customRequest('threads');
  await session.customRequest(request, { threadId: threads[0].id, granularity: 'cycle' });
}

function taskOf(definition) {
  return new vscode.Task(definition, vscode.TaskScope.Workspace, `${definition.command} ${definition.target}`, 'nplab',
                         new vscode.ProcessExecution(command(), [definition.command, definition.target]), '$nplab');
}

const tasks = {
  async provideTasks() {
    const files = await vscode.workspace.findFiles('**/mappings/**/*.yaml', null, 100);
    return files.map((file) => taskOf({ type: 'nplab', command: 'check', target: file.fsPath }));
  },
  resolveTask: (task) => taskOf(task.definition),
};

function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('nplab', adapters),
    vscode.commands.registerCommand('nplab.stepCycle', () => stepCycle('next')),
    vscode.commands.registerCommand('nplab.stepCycleBack', () => stepCycle('stepBack')),
    vscode.tasks.registerTaskProvider('nplab', tasks));
}

module.exports = { activate };
