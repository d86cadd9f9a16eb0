import { writeFileSync } from 'node:fs';
import { raiseStage } from './host/stage';
import { chromium } from 'playwright-core';
async function main(){
 const stage = await raiseStage({ folder: '/tmp/ex1/stage', log: (m:string)=>console.log(m) } as never);
 const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args:['--no-sandbox','--disable-gpu','--remote-debugging-port=9377','--no-first-run'] });
 writeFileSync('/tmp/ex1/stage.json', JSON.stringify({url: stage.n8n.url, owner: stage.owner, sandbox: stage.sandbox.url, workflows: stage.workflows, form: stage.formUrl}));
 console.log('ready');
 process.on('SIGTERM', () => void (async()=>{ await browser.close(); await stage.close(); process.exit(0)})());
 setInterval(()=>undefined, 1e6);
}
void main();
