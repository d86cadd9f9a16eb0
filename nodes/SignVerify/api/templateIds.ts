import type { Template } from './types';

/* A template has two IDs, and one ID can be that of several templates (docs/dev/architecture.md). */

export type TemplateIds = Pick<Template, 'templateID' | '_id'>;

/** The ID that the creating calls need. */
export function idOf(template: TemplateIds): string {
	return template.templateID || template._id;
}

/** What a template is called; its ID if it has no name. */
export function nameOf(template: Template): string {
	return template.name || idOf(template);
}

/** Those that an ID means: whose `templateID` it is, and if there are none, whose `_id` it is. */
export function meantBy<Ids extends TemplateIds>(id: string, templates: Ids[]): Ids[] {
	const named = templates.filter(({ templateID }) => templateID === id);
	return named.length > 0 ? named : templates.filter(({ _id }) => _id === id);
}

/** Templates, each once: those with the same ID are the same if their names or their `_id` are. */
export function withoutRepeats(templates: Template[]): Template[] {
	const known = new Set<string>();
	return templates.filter((template) => {
		const signs = [nameOf(template), template._id ?? ''];
		const marks = signs.map((sign, at) => sign && JSON.stringify([idOf(template), at, sign]));
		const isKnown = marks.some((mark) => known.has(mark));
		for (const mark of marks.filter(Boolean)) known.add(mark);
		return !isKnown;
	});
}

/** Templates, one for each ID that the creating calls could get: the first that it means. */
export function onePerId(templates: Template[]): Template[] {
	const last = ({ templateID }: Template) => Number(!templateID);
	const meant = new Map<string, Template>();
	for (const template of [...templates].sort((left, right) => last(left) - last(right))) {
		if (!meant.has(idOf(template))) meant.set(idOf(template), template);
	}
	return [...meant.values()];
}
