import type { ServiceDeps } from './contract';
import { Deliveries } from './deliveries';
import { plainPlan } from './deliveryPlan';
import { ServiceModel } from './service';
import {
	ownTemplate,
	retries,
	takeOver,
	type Answers,
	type Ids,
	type Received,
	type Side,
} from './sides';
import { templatesV1, templatesV2 } from './templates';
import type { ServiceVariants } from './variants';

/** Surroundings in real time. */
export function realSurroundings(): ServiceDeps {
	let count = 0;
	return {
		now: () => Date.now(),
		random: () => Math.random(),
		id: () => (++count).toString(16).padStart(24, '0'),
		sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
		step: async () => await Promise.resolve(),
		note: () => undefined,
	};
}

/** The model. */
export function modelSide(
	variants: ServiceVariants,
	answers: Answers = [],
	surroundings = realSurroundings(),
): Side {
	const model = new ServiceModel(surroundings, variants);
	const arrived: Received[] = [];
	const deliveries = new Deliveries(
		surroundings,
		{ ...plainPlan, retries },
		async ({ url, body, contentType }) => {
			arrived.push({ address: addressOf(url), contentType, body });
			return await Promise.resolve(answers.shift() ?? 200);
		},
		(id) => model.activeRegistrations.some(({ webHookID }) => webHookID === id),
	);
	model.onNotifications = (notifications) => deliveries.send(notifications);
	const ids: Ids = { documents: [], registrations: [], identities: [] };
	const ownV2 = templatesV2.map(({ templateID, form }) => ownTemplate(templateID, form));
	const ownV1 = templatesV1.map(({ templateID, inputs }) => ownTemplate(templateID, inputs));
	return {
		ids,
		templates: { v1: ownV1[0]!, v2: ownV2[0]!, inactive: ownV2[2]! },
		call: async (request) => {
			const answer = model.answer(request);
			takeOver(
				ids.documents,
				model.documents.map((each) => each.documentID),
			);
			takeOver(
				ids.registrations,
				model.registrations.map((each) => each.webHookID),
			);
			takeOver(
				ids.identities,
				model.identityRequests.map((each) => each.validationId),
			);
			return await Promise.resolve(answer);
		},
		file: async (address) => await Promise.resolve(model.file(address)),
		sign: async (id, who) => {
			const { signatories } = model.documents.find((each) => each.documentID === id)!;
			const { email } = signatories[who % signatories.length]!;
			deliveries.send(model.sign(id, email));
			return await Promise.resolve();
		},
		report: async (id, event) =>
			await Promise.resolve(deliveries.send(model.reportBiometric(id, event))),
		open: async (id) => await Promise.resolve(model.openIdentity(id)),
		finish: async (id, score) =>
			await Promise.resolve(deliveries.send(model.finishIdentity(id, undefined, score))),
		received: async () => {
			await deliveries.flush();
			return arrived.splice(0);
		},
		state: () => ({
			registrations: model.activeRegistrations.map(({ type, url }) => `${type} ${url}`),
			documents: model.documents.map(({ status, signed }) => ({ status, signed })),
			identities: model.identityRequests.map(({ status }) => status),
		}),
	};
}

function addressOf(url: string): string {
	const { pathname, search } = new URL(url);
	return `${pathname}${search}`;
}
