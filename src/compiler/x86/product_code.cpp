#include "product_code.hpp"

#include <xbyak/xbyak.h>

#include <array>
#include <functional>
#include <map>

namespace plucker::compiler {
namespace {

using Xbyak::Address;
using Xbyak::Operand;
using Xbyak::Reg64;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

// A result is a list of calls, one a tile. The code of a tile adds up its sums in registers, turns them from lanes into rows, and
// stores these. The processor has units for products and others for shuffles, and does both at once if they come mixed: where
// there are registers for it, a tile's sums are stored by the code of the tile that comes next.
class XbyakProducts : public ProductCode, private Xbyak::CodeGenerator {
public:
    XbyakProducts(const LaneFactors& factors, const VectorUnit& unit)
        : Xbyak::CodeGenerator(Xbyak::DEFAULT_MAX_CODE_SIZE, Xbyak::AutoGrow), unit_(unit) {
        for (const LaneProduct& product : factors.by_rows) by_rows_.push_back(begin(product));
        for (const LaneProduct& product : factors.by_columns) by_columns_.push_back(begin(product));
        for (auto& [tile, label] : tiles_) {
            align(kLine);
            L(label);
            write(tile.first, tile.second);
        }
        ready(Xbyak::CodeArray::PROTECT_RE);
    }
    Entry by_rows(std::size_t result) const override { return entry(by_rows_[result]); }
    Entry by_columns(std::size_t result) const override { return entry(by_columns_[result]); }

private:
    static constexpr int kLine = 64;  // bytes, of a cache

    // Which registers a tile's sums stand in: those of the tile before it are stored meanwhile.
    enum Set { kEven, kOdd };

    VectorUnit unit_;
    std::vector<std::size_t> by_rows_, by_columns_;  // where they begin
    std::map<std::pair<TileSums, Set>, Xbyak::Label> tiles_;

    bool stores_later() const { return unit_.is_wide; }
    int lanes() const { return unit_.pack_bytes() / unit_.number_bytes(); }

    // --- General registers ---

    // Kept by tiles: two lines of the result; strides of lines, of a state, and of so many states.
    const std::array<Reg64, 2> lines_{r12, r13};
    const Reg64 line_stride_ = rax, stride_ = r8, three_ = r9, five_ = r10, seven_ = r11;
    // What a tile is called with: from where packs are counted, and where it is to be written.
    const Reg64 of_lines_ = rdi, side_by_side_ = rsi, to_ = rdx;
    // Where its lines are written, of the first eight states and of the others.
    const std::array<std::array<Reg64, 2>, kTileLines> written_{{{rcx, rbp}, {rbx, r14}}};
    // What is asked for: that will be written some lines later.
    const Reg64 asked_ = r15;

    const Xbyak::Opmask even_quarters_ = k1, odd_quarters_ = k2;  // of eight numbers

    // --- A result ---

    Entry entry(std::size_t at) const {
        return reinterpret_cast<Entry>(const_cast<std::uint8_t*>(getCode()) + at);
    }
    std::size_t begin(const LaneProduct& product) {
        align(kLine);
        const std::size_t at = getSize();
        write(product);
        return at;
    }
    void write(const LaneProduct& product) {
        for (const Reg64& r : {rbx, rbp, r12, r13, r14, r15, r8, rsi}) push(r);
        const Address place_of_sum = ptr[rsp + 8], first_line = ptr[rsp];
        mov(line_stride_, rcx);
        mov(stride_, rdx);
        lea(three_, ptr[stride_ + stride_ * 2]);
        lea(five_, ptr[stride_ + stride_ * 4]);
        lea(seven_, ptr[three_ + stride_ * 4]);
        for (int k = 0; k < kChecks; ++k) clear(check(k));
        if (unit_.is_wide) {
            mov(ecx, 0x33);
            kmovw(even_quarters_, ecx);
            mov(ecx, 0xCC);
            kmovw(odd_quarters_, ecx);
        }
        mov(to_, first_line);
        if (stores_later()) {  // before the first tile there is none: zeros, where it will be stored itself
            find_lines();
            for (int k = 0; k < kTileSums; ++k) clear(sum(kOdd, k));
        }
        lea(asked_, ptr[to_ + line_stride_ * kLinesTogether]);
        // The packs from which of_lines_ and side_by_side_ count, and the lines that lines_ point to.
        int of_lines = -reach(), side_by_side = -reach();
        mov(side_by_side_, of_lines_);
        std::array<int, 2> known{-1, -1};
        std::size_t last = 1;
        Set set = kEven;
        for (const LaneTile& tile : product) {
            if (known[0] != tile.line && known[1] != tile.line) {
                last = 1 - last;
                imul(lines_[last], line_stride_, tile.line);
                add(lines_[last], first_line);
                known[last] = tile.line;
            }
            last = known[0] == tile.line ? 0 : 1;
            move(of_lines_, of_lines, tile.pack_of_lines);
            move(side_by_side_, side_by_side, tile.pack_of_others);
            lea(to_, ptr[lines_[last] + tile.number * unit_.number_bytes()]);
            call(tiles_[{tile.sums, set}]);
            if (stores_later()) set = other_than(set);
        }
        if (stores_later()) write(storing(other_than(set)));
        for (int k = 1; k < kChecks; ++k) accumulate(check(0), check(k));
        mov(rax, place_of_sum);
        vmovups(ptr[rax], wide(check(0)));
        vzeroupper();
        for (const Reg64& r : {rsi, r8, r15, r14, r13, r12, rbp, rbx}) pop(r);
        ret();
    }
    void move(const Reg64& pointer, int& pack, int to) {
        if (pack != to) add(pointer, (to - pack) * unit_.pack_bytes());
        pack = to;
    }
    void find_lines() {
        for (int line = 0; line < kTileLines; ++line) {
            const auto& [first, others] = written_[line];
            line == 0 ? mov(first, to_) : lea(first, ptr[written_[line - 1][0] + line_stride_]);
            if (lanes() > 8) lea(others, ptr[first + stride_ * 8]);
        }
    }

    // --- Vector registers ---

    static constexpr int kChecks = 4;
    static Set other_than(Set set) { return set == kEven ? kOdd : kEven; }
    static int sum(Set set, int k) { return set == kEven ? k : 8 + k; }
    // To exchange those that are stored.
    int spare(int k) const { return stores_later() ? 16 + k : 8 + k; }
    // Numbers of factors, in turn.
    int of_line(int turn, int k) const { return stores_later() ? 20 + turn % 2 * 2 + k : 8 + k; }
    int other(int turn) const { return stores_later() ? 24 + turn % 4 : 10 + turn % 2; }
    int check(int k) const { return stores_later() ? 28 + k : 12 + k; }
    Xmm wide(int r) const {
        if (unit_.is_wide) return Zmm(r);
        return Ymm(r);
    }
    void clear(int r) { r < 16 ? vxorps(Xmm(r), Xmm(r), Xmm(r)) : vpxord(Xmm(r), Xmm(r), Xmm(r)); }

    // In AVX-512 a distance of one byte counts in packs: registers point into the middle of what it reaches.
    int reach() const { return unit_.is_wide ? 128 : 0; }
    Address pack(const Reg64& from, const PlacedNumber& x) const {
        return ptr[from + (x.pack - reach()) * unit_.pack_bytes()];
    }

    void multiply_add(int to, int a, const Operand& b, bool is_first) {
        if (is_first) {
            unit_.is_narrow() ? vmulps(wide(to), wide(a), b) : vmulpd(wide(to), wide(a), b);
        } else {
            unit_.is_narrow() ? vfmadd231ps(wide(to), wide(a), b)
                              : vfmadd231pd(wide(to), wide(a), b);
        }
    }
    void accumulate(int to, int x) {
        unit_.is_narrow() ? vaddps(wide(to), wide(to), wide(x))
                          : vaddpd(wide(to), wide(to), wide(x));
    }

    // --- A tile ---

    using Steps = std::vector<std::function<void()>>;

    static void write(const Steps& steps) {
        for (const auto& step : steps) step();
    }
    // Both in their order, evenly mixed.
    static void write_mixed(const Steps& steps, const Steps& others) {
        std::size_t done = 0;
        for (std::size_t k = 0; k < steps.size(); ++k) {
            steps[k]();
            for (; done * steps.size() < (k + 1) * others.size() && done < others.size(); ++done)
                others[done]();
        }
        for (; done < others.size(); ++done) others[done]();
    }
    void write(const TileSums& tile, Set set) {
        if (stores_later()) {
            Steps others = storing(other_than(set));
            if (set == kEven || !unit_.is_narrow()) append_asking(others);
            write_mixed(adding_up(tile, set), others);
            find_lines();
        } else {
            write(adding_up(tile, set));
            find_lines();
            write(storing(set));
        }
        ret();
    }
    Steps adding_up(const TileSums& tile, Set set) {
        Steps out;
        std::array<bool, kTileSums> has_begun{};
        const auto load = [&](int r, const Address& from) {
            out.push_back([=, this] { vmovups(wide(r), from); });
        };
        const auto add = [&](const PlacedNumber& line, const PlacedNumber& number, int a,
                             const auto& b) {
            const int k = line.of * kTileNumbers + number.of;
            out.push_back(
                [=, this, is_first = !has_begun[k]] { multiply_add(sum(set, k), a, b, is_first); });
            has_begun[k] = true;
        };
        for (const PlacedNumber& x : tile.begins) {
            load(sum(set, x.of), pack(side_by_side_, x));
            has_begun[x.of] = true;
        }
        int turn = 0, others = 0;
        for (const TileSums::Term& term : tile.terms) {
            // What is multiplied once is read where it stands.
            const bool is_one_line = term.of_lines.size() == 1;
            const bool is_one_number = !is_one_line && term.side_by_side.size() == 1;
            if (!is_one_number) {
                for (const PlacedNumber& line : term.of_lines)
                    load(of_line(turn, line.of), pack(of_lines_, line));
            }
            for (const PlacedNumber& number : term.side_by_side) {
                const int r = other(others++);
                if (!is_one_line) load(r, pack(side_by_side_, number));
                for (const PlacedNumber& line : term.of_lines) {
                    if (is_one_line) {
                        add(line, number, of_line(turn, line.of), pack(side_by_side_, number));
                    } else if (is_one_number) {
                        add(line, number, r, pack(of_lines_, line));
                    } else {
                        add(line, number, of_line(turn, line.of), wide(r));
                    }
                }
            }
            ++turn;
        }
        for (int k = 0; k < kTileSums; ++k) {
            if (!has_begun[k]) out.push_back([=, this] { clear(sum(set, k)); });
        }
        return out;
    }

    // --- From lanes to rows ---

    using Shuffle = void (XbyakProducts::*)(int to, int a, int b);

    // First a look at all of them.
    Steps storing(Set set) {
        using Self = XbyakProducts;
        Steps out;
        std::vector<int> free, x;
        for (int k = 0; k < 4; ++k) free.push_back(spare(k));
        for (int k = 0; k < kTileSums; ++k) x.push_back(sum(set, k));
        // Two registers, and what two shuffles make of them.
        const auto exchange = [&](int& a, int& b, Shuffle low, Shuffle high) {
            const std::array<int, 2> to{free[0], free[1]};
            free.erase(free.begin(), free.begin() + 2);
            out.push_back([=, this, a = a, b = b] { (this->*low)(to[0], a, b); });
            out.push_back([=, this, a = a, b = b] { (this->*high)(to[1], a, b); });
            free.insert(free.end(), {a, b});
            a = to[0];
            b = to[1];
        };
        const auto store = [&](int from, int part, int bytes, int state, int line) {
            out.push_back([=, this] { store_part(place_of(state, line), from, part, bytes); });
        };
        for (int k = 0; k < kTileSums; ++k)
            out.push_back([=, this] { accumulate(check(k % kChecks), sum(set, k)); });
        if (unit_.is_narrow()) {
            for (int k = 0; k < kTileSums; k += 4) {
                exchange(x[k], x[k + 1], &Self::low_numbers, &Self::high_numbers);
                exchange(x[k + 2], x[k + 3], &Self::low_numbers, &Self::high_numbers);
                exchange(x[k], x[k + 2], &Self::low_pairs, &Self::high_pairs);
                exchange(x[k + 1], x[k + 3], &Self::low_pairs, &Self::high_pairs);
                std::swap(x[k + 1], x[k + 2]);
            }
            // Sixteen bytes are a line of a tile: x[4 line + c] has those of the states c, 4 + c …
            for (int k = 0; k < kTileSums; ++k) {
                for (int part = 0; part < lanes() / 4; ++part)
                    store(x[k], part, 16, 4 * part + k % 4, k / 4);
            }
            return out;
        }
        for (int k = 0; k < kTileSums; k += 2)
            exchange(x[k], x[k + 1], &Self::low_pairs, &Self::high_pairs);
        // Sixteen bytes are half a line: x[2 k + c] has the numbers from 2 k on of the states c, 2 + c …
        for (int line = 0; line < kTileLines; ++line) {
            for (int c = 0; c < 2; ++c) {
                int &low = x[4 * line + c], &high = x[4 * line + 2 + c];
                if (unit_.is_wide) {
                    out.push_back([=, this, a = low, b = high, to = free.front()] {
                        exchange_quarters(a, b, to);
                    });
                } else {
                    exchange(low, high, &Self::low_halves, &Self::high_halves);
                }
                for (int part = 0; part < lanes() / 4; ++part) {
                    store(low, part, 32, 4 * part + c, line);
                    store(high, part, 32, 4 * part + 2 + c, line);
                }
            }
        }
        return out;
    }
    void low_numbers(int to, int a, int b) { vunpcklps(wide(to), wide(a), wide(b)); }
    void high_numbers(int to, int a, int b) { vunpckhps(wide(to), wide(a), wide(b)); }
    void low_pairs(int to, int a, int b) { vunpcklpd(wide(to), wide(a), wide(b)); }
    void high_pairs(int to, int a, int b) { vunpckhpd(wide(to), wide(a), wide(b)); }
    void low_halves(int to, int a, int b) { vperm2f128(Ymm(to), Ymm(a), Ymm(b), 0x20); }
    void high_halves(int to, int a, int b) { vperm2f128(Ymm(to), Ymm(a), Ymm(b), 0x31); }
    // a and b of quarters 0, 1, 2 and 3 become those of a0, b0, a2 and b2, and of a1, b1, a3 and b3.
    void exchange_quarters(int a, int b, int spare) {
        vmovapd(Zmm(spare), Zmm(a));
        vshuff64x2(Zmm(a) | odd_quarters_, Zmm(b), Zmm(b), 0x80);
        vshuff64x2(Zmm(b) | even_quarters_, Zmm(spare), Zmm(spare), 0x31);
    }
    Address place_of(int state, int line) const {
        return at_state(written_[line][state / 8], state % 8);
    }
    Address at_state(const Reg64& first, int state) const {
        switch (state) {
            case 0:
                return ptr[first];
            case 1:
                return ptr[first + stride_];
            case 2:
                return ptr[first + stride_ * 2];
            case 3:
                return ptr[first + three_];
            case 4:
                return ptr[first + stride_ * 4];
            case 5:
                return ptr[first + five_];
            case 6:
                return ptr[first + three_ * 2];
            default:
                return ptr[first + seven_];
        }
    }
    // Tiles write a line of a cache of each state, or half of one: as much is asked for.
    void append_asking(Steps& steps) {
        for (int k = 0; k < lanes(); ++k) {
            if (k == 8) steps.push_back([this] { lea(asked_, ptr[asked_ + stride_ * 8]); });
            steps.push_back([=, this] { prefetcht1(at_state(asked_, k % 8)); });
        }
        steps.push_back([this] {
            if (lanes() > 8) {  // back to the first state
                const auto& [first, others] = written_[0];
                sub(asked_, others);
                add(asked_, first);
            }
            add(asked_, kLine);
        });
    }
    // So many bytes of a register.
    void store_part(const Address& to, int from, int part, int bytes) {
        if (part == 0) {
            bytes == 16 ? vmovups(to, Xmm(from)) : vmovups(to, Ymm(from));
        } else if (bytes == 32) {
            vextractf64x4(to, Zmm(from), 1);
        } else {
            unit_.is_wide ? vextractf32x4(to, Zmm(from), static_cast<std::uint8_t>(part))
                          : vextractf128(to, Ymm(from), 1);
        }
    }
};

}  // namespace

std::shared_ptr<const ProductCode> make_product_code(const LaneFactors& factors,
                                                     const VectorUnit& unit) {
    return std::make_shared<const XbyakProducts>(factors, unit);
}

}  // namespace plucker::compiler
