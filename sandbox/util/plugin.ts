/**
 * Names a plugin of Fastify. For a plugin without a name, Fastify searches all loaded modules, which takes a large part
 * of the sandbox's start in Jest.
 */
export function named<Plugin extends object>(name: string, plugin: Plugin): Plugin {
	return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name });
}
