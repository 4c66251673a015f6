import { spawn } from "node:child_process";

/** Runs a Node program and returns its output if it failed, else nothing. */
export function runProgram(folder: string, command: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (bytes: Buffer) => (output += bytes));
    child.stderr.on("data", (bytes: Buffer) => (output += bytes));
    child.once("error", reject);
    child.once("close", (code) => resolve(code === 0 ? [] : [output.trim() || `ended with ${code}`]));
  });
}
