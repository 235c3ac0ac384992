#include "recorder.hpp"

#include "plucker/algorithms/table.hpp"
#include "plucker/view/page.hpp"
#include "terminal.hpp"

namespace plucker::cli {

Recorder::Recorder(const Model& model, const SimulateOptions& o, const RecordingHeader& header)
    : model_(model), ws_(model), output_(o.output) {
    for (const std::string& name : o.frames)
        frames_.emplace_back(name, of_option("--frame", [&] { return model.frame_id(name); }));
    recording_.header = header;
    if (!is_page(o.output)) return;
    std::string why;
    if (!has_viewer(&why)) throw Error(why);
    page_ = o.output;
}

void Recorder::begin() {
    has_begun_ = true;
    if (output_ == "-") {
        write_output(recording_header_text(model_, recording_.header, TextFormat::kJson) + "\n");
    } else if (page_.empty()) {
        writer_ = std::make_unique<RecordingWriter>(model_, output_, recording_.header);
    }
}

void Recorder::add(double time, const VectorX<double>& q, const VectorX<double>& v,
                   const VectorX<double>& tau, std::span<const Contact> contacts,
                   std::span<const CollisionShape> shapes, const std::vector<Push>& pushes,
                   std::optional<double> residual) {
    if (!has_begun_) begin();
    RecordedInstant instant;
    instant.time = time;
    instant.q = q;
    instant.v = v;
    instant.tau = tau;
    forward_kinematics(ws_, q);
    instant.energy = {kinetic_energy(ws_, q, v), potential_energy(ws_)};
    for (const auto& [name, id] : frames_) {
        instant.frames.push_back({name, frame_pose(ws_, id)});
    }
    for (const Contact& contact : contacts) {
        RecordedContact& c = instant.contacts.emplace_back();
        c.link = shapes[static_cast<std::size_t>(contact.point.shape_a)].link;
        c.other = shapes[static_cast<std::size_t>(contact.point.shape_b)].link;
        c.position = contact.point.position;
        c.normal = contact.point.normal;
        c.force = contact.force;
        c.mode = contact.mode;
        c.friction = contact.point.surface.friction;
    }
    for (const Push& push : pushes) {
        if (!push.acts_at(time)) continue;
        instant.pushes.push_back({push.name, frame_pose(ws_, push.link).position, push.force});
    }
    instant.residual = residual;
    if (writer_) {
        writer_->add(instant);
    } else if (!page_.empty()) {
        recording_.instants.push_back(std::move(instant));
    } else {
        write_output(recorded_instant_text(model_, instant, TextFormat::kJson) + "\n");
    }
}

void Recorder::finish() {
    if (writer_) writer_->finish();
    if (page_.empty() || !has_begun_) return;
    write_page(model_, {{"simulation", &recording_}}, page_);
    tell_of_page(page_);
}

}  // namespace plucker::cli
